"""Source: what the user wrote, as text: where it stands, his remarks, the numbers that he read by name."""

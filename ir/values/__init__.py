"""Values: what is known of one without having it, and how values are nested."""

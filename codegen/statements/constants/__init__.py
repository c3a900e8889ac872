"""Constants: numbers and arrays as the user spelled them, and by the names that he gave them."""

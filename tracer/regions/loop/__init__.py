"""Loop: a loop is run as Python runs it until it asks an array, and then recorded as one."""

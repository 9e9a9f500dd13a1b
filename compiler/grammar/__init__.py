"""From a template to its region grammar, and from that grammar's LALR table to the states."""

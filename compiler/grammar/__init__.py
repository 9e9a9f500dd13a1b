"""From a template to its region grammar, and from the grammar's LALR table to the parser's states."""

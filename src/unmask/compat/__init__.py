"""Methods with the interfaces of other libraries, as drop-in replacements that do not need those libraries."""

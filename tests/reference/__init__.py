"""The generated parts of docs/language.md: `keys` of the schema, `words` of their table, `pieces` of the grammar; `page` joins them."""

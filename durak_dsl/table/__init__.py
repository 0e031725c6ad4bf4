"""A position and what may happen to it.

`cards` and `values` are texts of cards and values; `moves` whole moves and their notation; `choosing` finds them step by step, `legality` says why
others are not among them; `game` is rules with their options, `table` one deal of it; `position` lays one out by hand; `record` writes it down;
`knowledge` is what one player knows; `examples` runs those of a rule file.
"""

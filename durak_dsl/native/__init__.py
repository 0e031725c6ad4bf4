"""The same functions as machine code: emitted Python in a dialect that numba compiles, kept in the user's cache folder. Wants numba."""

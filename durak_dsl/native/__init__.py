"""The same functions as machine code: emitted Python in a smaller dialect becomes LLVM assembly, whose code is kept in the cache folder."""

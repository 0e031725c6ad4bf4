"""Write the golden files anew: python -m tests.golden. A deal that is no longer possible stops it; without its file it gets another."""

from tests import golden

golden.write()

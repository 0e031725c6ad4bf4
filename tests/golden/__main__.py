"""Write the golden files anew."""

from tests import golden

golden.write()

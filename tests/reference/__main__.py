"""`python -m tests.reference`: writes the generated parts of docs/language.md anew; the diff is the review."""

from tests.reference.page import PAGE, written

PAGE.write_text(written(PAGE.read_text("utf-8")), "utf-8")

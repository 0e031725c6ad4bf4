"""The exception with which the checker leaves one text; what catches it goes on with the next."""

from __future__ import annotations

from durak_dsl.problems import Problem, Span


class Wrong(Exception):
    """One text is wrong; `problem` is None where another problem has already been reported for the same cause."""

    def __init__(self, problem: Problem | None = None):
        self.problem = problem
        super().__init__(problem)


def wrong(code: str, message: str, span: Span | None, hint: str = "") -> Wrong:
    """The exception for one problem."""
    return Wrong(Problem(code, message, span, hint))

"""The definitions of a rule file, checked in an order in which each comes after those that it uses; a circle is shown."""

from __future__ import annotations

from collections.abc import Iterator

from durak_dsl.language import declare
from durak_dsl.language.clauses import body
from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Define, Expr, Procedure
from durak_dsl.language.names import Names
from durak_dsl.language.order import Use, ordered
from durak_dsl.language.scope import Scope
from durak_dsl.language.statements import Statements
from durak_dsl.language.syntax import Syntax
from durak_dsl.language.types import Type
from durak_dsl.language.words import WORDS
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Span
from durak_dsl.source.nodes import Map, Node, Seq, Text

Entries = list[tuple[str, Node, Text]]


class Definitions:
    """Checks the definitions and procedures of one rule file."""

    def __init__(self, expressions: Expressions):
        self.expressions = expressions
        self.names: Names = expressions.names
        self.bodies: dict[str, tuple[Node, Span]] = {}
        self.parameters: dict[str, tuple[tuple[str, int, Type], ...]] = {}
        self.procedures: dict[str, tuple[Node, Span, tuple[tuple[str, int, Type], ...]]] = {}
        self.names.define = self.define

    def sign(self, defines: Entries, procedures: Entries) -> None:
        """Note the names and parameters of all definitions and procedures, before any of them is checked."""
        labels: list[tuple[str, Span]] = []
        for key, node, at in defines:
            with self.names.reporting(_bare(key)):
                name, parameters = declare.signature(at, self.names)
                self._check_name(name, at.span, parameters)
                self.names.declare_definition(name, at.span, tuple((label, kind) for label, kind, _ in parameters))
                self.parameters[name] = tuple((label, self.names.new_local(label), kind) for label, kind, _ in parameters)
                self.bodies[name] = (node, at.span)
                labels += [(label, span) for label, _, span in parameters]
        for key, node, at in procedures:
            with self.names.reporting(_bare(key)):
                name, parameters = declare.signature(at, self.names)
                if name in self.procedures:
                    raise wrong("name-taken", f"there are two procedures '{name}'", at.span)
                self.names.procedures[name] = tuple((label, kind) for label, kind, _ in parameters)
                self.procedures[name] = (node, at.span, tuple((label, self.names.new_local(label), kind) for label, kind, _ in parameters))
                labels += [(label, span) for label, _, span in parameters]
        for label, span in labels:
            with self.names.reporting():
                self.names.check_name(label, span, "a parameter")

    def _check_name(self, name: str, span: Span, parameters: tuple[declare.Parameter, ...]) -> None:
        names = self.names
        names.check_name(name, span, "a definition")
        if name in WORDS:
            raise wrong("name-taken", f"'{name}' is a word of the language and cannot name a definition", span)
        owner = names.variables.get(name) or names.zones.get(name)
        if owner is not None and not parameters:
            raise wrong("name-taken", f"each player has his own '{name}'", span, "give the definition another name, or a parameter")

    # ---- definitions ----------------------------------------------------------------------------------------------

    def check(self) -> None:
        """Check all definitions."""
        for name in self._order():
            node, span = self.bodies[name]
            scope = Scope({label: Expr("local", kind, data=local) for label, local, kind in self.parameters[name]})
            with self.names.reporting(name):
                self.names.defines[name] = Define(name, self.parameters[name], body(node, scope, self.expressions), span)

    def define(self, name: str, span: Span) -> Define:
        """A checked definition; Wrong where it is broken, which has been told."""
        if name not in self.names.defines:
            raise Wrong
        return self.names.defines[name]

    def _order(self) -> list[str]:
        """The names, each after those that it uses; those in a circle are left out and the circle is told."""
        order, circles = ordered({name: self._uses(name) for name in self.bodies})
        for names, span in circles:
            if not self.names.broken.issuperset(names):
                self.names.report(wrong("circle", f"definitions use each other in a circle: {' → '.join(names)}", span))
            self.names.broken.update(names)
        return [name for name in order if name not in self.names.broken]

    def _uses(self, name: str) -> list[Use]:
        own = {label for label, _, _ in self.parameters[name]}
        found: list[Use] = []
        for text in _texts(self.bodies[name][0]):
            try:
                found += [use for use in _named(self.expressions.parse(text)) if use[0] in self.bodies and use[0] not in own]
            except Wrong:
                continue  # it is told when the definition is checked
        return found

    # ---- procedures -----------------------------------------------------------------------------------------------

    def check_procedures(self, statements: Statements) -> dict[str, Procedure]:
        """All procedures, checked."""
        found = {}
        for name, (node, span, parameters) in self.procedures.items():
            scope = Scope({label: Expr("local", kind, data=local) for label, local, kind in parameters})
            found[name] = Procedure(name, parameters, statements.body(node, scope), span)
        return found


def _bare(key: str) -> str:
    return key.partition("(")[0].strip()


def _texts(node: Node) -> Iterator[Text]:
    if isinstance(node, Text):
        yield node
    elif isinstance(node, Seq):
        for item in node:
            yield from _texts(item)
    elif isinstance(node, Map):
        for entry in node:
            yield from _texts(entry.value)


def _named(syntax: Syntax) -> Iterator[tuple[str, Span]]:
    """Every name that may be a definition's."""
    if syntax.kind == "name":
        yield syntax.text, syntax.span
    parts = syntax.parts[:1] if syntax.kind == "dot" else syntax.parts
    for part in parts:
        if part is not None:
            yield from _named(part)

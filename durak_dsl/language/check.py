"""A resolved rule file -> its typed meaning (`Rules`), or a `RuleError` with all that is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from durak_dsl.language import declare, honesty, totality, usage
from durak_dsl.language.clauses import map_of, text_of
from durak_dsl.language.declare import entries, required
from durak_dsl.language.definitions import Definitions
from durak_dsl.language.ends import Ends, no_finish, unnamed
from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Block, Option, Rules
from durak_dsl.language.moves import Moves
from durak_dsl.language.names import Names
from durak_dsl.language.scope import Scope
from durak_dsl.language.statements import Statements
from durak_dsl.language.wrong import wrong
from durak_dsl.problems import Problem, RuleError, Span, did_you_mean, listed
from durak_dsl.source import merge
from durak_dsl.source.nodes import Map, Node, Text
from durak_dsl.source.overlay import Document
from durak_dsl.source.text import MOST_PROBLEMS


def check(document: Document) -> Rules:
    """The typed meaning of the rules; raises RuleError with every problem found in them."""
    return _Check(document).rules()


Setting = str | int  # the value of an option as it is written, or as Python has it: a number, True, False


def settle(rules: Rules, settings: Mapping[str, Setting]) -> dict[str, int]:
    """The value of every option, as set or by default; raises RuleError for unknown options and values."""
    problems = []
    values = {name: option.default for name, option in rules.options.items()}
    for name, value in settings.items():
        text = ("no", "yes")[value] if isinstance(value, bool) else str(value)
        option = rules.options.get(name)
        if option is None:
            problems.append(Problem("unknown-option", f"{rules.id} has no option '{name}'", None, did_you_mean(str(name), rules.options)))
        elif not isinstance(value, str | int):
            message = f"option {name} cannot be {value!r}; it is {_possible(option)}"
            problems.append(Problem("bad-option", message, None, "a value is a text, a number, True or False"))
        elif option.words:
            if text in option.words:
                values[name] = option.words.index(text)
            else:
                message = f"option {name} cannot be '{text}'; it is {_possible(option)}"
                problems.append(Problem("bad-option", message, None, did_you_mean(text, option.words)))
        elif text.isascii() and text.isdigit() and len(text) < 10 and option.low <= int(text) <= option.high:
            values[name] = int(text)
        else:
            problems.append(Problem("bad-option", f"option {name} cannot be '{text}'; it is {_possible(option)}"))
    if problems:
        raise RuleError(problems)
    return values


def _possible(option: Option) -> str:
    """What an option can be, in words."""
    return listed(option.words) if option.words else f"a number from {option.low} to {option.high}"


class _Check:
    def __init__(self, document: Document):
        self.document = document
        self.root = document.root
        self.names = Names()
        self.names.origin = self.origin
        self.names.laid = self.laid
        self.expressions = Expressions(self.names)
        self.statements = Statements(self.expressions)
        self.definitions = Definitions(self.expressions)
        self.keeps: dict[str, Map] = {}

    def rules(self) -> Rules:
        """The typed meaning. What can be told of a game with mistakes is told with them, all at once."""
        names, root = self.names, self.root
        self.declarations()
        self.sign()
        self.definitions.check()
        procedures = self.definitions.check_procedures(self.statements)
        setup, position = self.body("setup"), self.body("position")
        if root.get("setup") is None:
            names.report(wrong("missing", "'setup' is missing", root.span, "a deal begins with it: it ends in 'go …'"))
        moves = Moves(self.statements)
        phases, found = moves.phases(root.get("phases")), moves.moves(root.get("moves"))
        ends = Ends(root, self.expressions)
        finish, keeps = ends.finish(), ends.keep(self.keeps)
        match = ends.match(keeps)
        rules = Rules(
            self.document.id,
            self.document.hash,
            names.counts or (2,),
            names.teams,
            names.deck,
            names.options,
            names.zones,
            names.variables,
            names.defines,
            procedures,
            setup,
            position,
            phases,
            found,
            finish or no_finish(root.span),
            keeps,
            match,
            names.locals,
        )
        problems = totality.problems(rules)
        if not any(problem.code in totality.ENDLESS for problem in problems):
            problems += honesty.problems(rules)
        problems = [*names.problems, *(problem for problem in problems if problem not in names.problems)]
        if problems:
            first = RuleError(problems).problems[:MOST_PROBLEMS]
            raise RuleError([problem if problem.hint else replace(problem, hint=self.written_for(problem)) for problem in first])
        warnings = [*self.expressions.warnings, *usage.problems(rules, names.used | self.told_to_people())]
        return replace(rules, warnings=RuleError(dict.fromkeys(warnings)).problems)

    def written_for(self, problem: Problem) -> str:
        """The hint that the file with the problem was written for other rules, if it was."""
        file = self.document.strange(problem.span.path) if problem.span else None
        return f"'{file.id}' was written for '{file.changes}': write {file.changes}+{file.id}" if file else ""

    def body(self, section: str) -> Block:
        """The statements of a section."""
        node = self.root.get(section)
        return () if node is None else self.statements.body(node, Scope())

    def laid(self, path: str) -> int:
        """How late the file is laid over the others."""
        paths = [file.path for file in self.document.files]
        return paths.index(path) if path in paths else 0

    def origin(self, name: str, span: Span) -> tuple[str, tuple[tuple[str, Span], ...]]:
        """Of a name that nothing has: whether the file that uses it was written for other rules, and which edit has taken it away."""
        file = self.document.strange(span.path)
        said = f"; '{file.id}' was written for '{file.changes}'" if file else ""
        for other in reversed(self.document.files):
            for section in other.rules:
                for entry in section.value if isinstance(section.value, Map) else ():
                    if merge.bare(entry.key.value) == name and merge.is_removed(entry.value):
                        return said, ((f"'{other.id}' removes it in", entry.key.span),)
        return said, ()

    # ---- declarations ---------------------------------------------------------------------------------------------

    def declarations(self) -> None:
        """Fill in what the file declares."""
        names, root, expressions = self.names, self.root, self.expressions
        with names.reporting("the players"):
            declare.players(map_of(required(root, "players"), "'players'"), names)
        with names.reporting("the deck"):
            declare.deck(map_of(required(root, "deck"), "'deck'"), names)
        for name, node, key in self.new_entries("options", "an option"):
            with names.reporting(name):
                names.options[name] = declare.option(name, map_of(node, "an option"), key.span)
        for name, node, key in self.new_entries("zones", "a zone"):
            with names.reporting(name):
                names.zones[name] = declare.zone(name, map_of(node, "a zone"), names, key.span)
        if "the deck" not in names.broken:
            with names.reporting():
                declare.which_cards(map_of(required(root, "deck"), "'deck'"), names, expressions)
        for name, node, key in self.new_entries("variables", "a variable"):
            with names.reporting(name):
                names.variables[name] = declare.variable(name, declare.type_text(node), names, expressions, key.span)
        names.phases.update(name for name, _, _ in entries(root.get("phases"), names, "'phases'"))
        for name, node, key in self.new_entries("keep", "a variable", root.get("match")):
            with names.reporting(name):
                self.keeps[name] = map_of(node, "what is kept")
                text = text_of(required(self.keeps[name], "is", key.span), "'is'")
                names.variables[name] = declare.kept(name, text, names, expressions, key.span)

    def new_entries(self, section: str, what: str, root: Node | None = None) -> Iterator[tuple[str, Node, Text]]:
        """The entries of a section whose names mean nothing else yet."""
        where = root if section == "keep" else self.root
        for name, node, key in entries(where.get(section) if isinstance(where, Map) else None, self.names, f"'{section}'"):
            declared = False
            with self.names.reporting(name):
                self.names.declare(name, key.span, what)
                declared = True
            if declared:
                yield name, node, key

    def sign(self) -> None:
        """Note the names of definitions and procedures; what `finish` says may be used like definitions."""
        names, finish = self.names, self.root.get("finish")
        defines = entries(self.root.get("define"), names, "'define'")
        if isinstance(finish, Map):
            defines += [entry for entry in entries(finish, names, "'finish'") if entry[0] not in ("scores", "stalemate", "says")]
            scores = entries(finish.get("scores"), names, "'scores'")
            defines += [(name, unnamed(node), key) for name, node, key in scores]
        self.definitions.sign(defines, entries(self.root.get("procedures"), names, "'procedures'"))

    # ---- who else reads -------------------------------------------------------------------------------------------

    def told_to_people(self) -> set[tuple[str, str]]:
        """What is used outside the rules: variables that are shown to people, and names that examples speak of."""
        found = set()
        for name, node, _ in entries(self.root.get("variables"), self.names, "'variables'"):
            if isinstance(node, Map):
                found.add(("variable", name))
        found |= {("variable", name) for name, node in self.keeps.items() if node.get("en") or node.get("ru")}
        for examples in (file.examples for file in self.document.files if file.examples is not None):
            for text in merge.leaves(examples):
                found |= {(kind, word) for word in re.findall(r"[a-z]\w*", text.value) for kind in ("definition", "variable")}
        return found


__all__ = ["check", "settle"]

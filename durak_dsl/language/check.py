"""A resolved rule file -> its typed meaning (`Rules`), or a `RuleError` with all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from durak_dsl.language import declare, honesty, totality
from durak_dsl.language.clauses import body, conditions, map_of, text_of
from durak_dsl.language.declare import each_entry
from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Define, Expr, Finish, Keep, Move, Phase, Pick, Procedure, Rules, Variable
from durak_dsl.language.scope import Names, Scope, facts
from durak_dsl.language.statements import Statements, start_value
from durak_dsl.language.syntax import parse
from durak_dsl.language.types import CARD, CARDS, PLAYER, YES_NO, Type, number
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Problem, RuleError, Span, did_you_mean, listed
from durak_dsl.source.nodes import Map, Node, Text
from durak_dsl.source.overlay import Document


def check(document: Document) -> Rules:
    """The typed meaning of the rules; raises RuleError with every problem found in them."""
    return _Check(document).rules()


def settle(rules: Rules, settings: Mapping[str, str]) -> dict[str, int]:
    """The value of every option, as set or by default; raises RuleError for unknown options and values."""
    problems = []
    values = {name: option.default for name, option in rules.options.items()}
    for name, text in settings.items():
        option = rules.options.get(name)
        if option is None:
            problems.append(Problem("unknown-option", f"{rules.id} has no option '{name}'", None, did_you_mean(name, rules.options)))
        elif option.words:
            if text in option.words:
                values[name] = option.words.index(text)
            else:
                message = f"option {name} cannot be '{text}'; it is {listed(option.words)}"
                problems.append(Problem("bad-option", message, None, did_you_mean(text, option.words)))
        elif text.isascii() and text.isdigit() and len(text) < 10 and option.low <= int(text) <= option.high:
            values[name] = int(text)
        else:
            problems.append(Problem("bad-option", f"option {name} cannot be '{text}'; it is a number from {option.low} to {option.high}"))
    if problems:
        raise RuleError(problems)
    return values


class _Check:
    def __init__(self, document: Document):
        self.document = document
        self.root = document.root
        self.names = Names()
        self.names.define = self.define
        self.expressions = Expressions(self.names)
        self.statements = Statements(self.expressions)
        self.bodies: dict[str, tuple[Node, Span]] = {}
        self.parameters: dict[str, tuple[tuple[str, int, Type], ...]] = {}
        self.open: list[str] = []
        self.failed: set[str] = set()
        self.keeps: dict[str, tuple[Map, Span]] = {}

    def rules(self) -> Rules:
        names, root = self.names, self.root
        self.declarations()
        self.define_signatures()
        for name in list(self.bodies):
            with names.reporting():
                self.define(name, self.bodies[name][1])
        procedures = self.procedures()
        start = Scope()
        setup = self.statements.body(_or_empty(root.get("setup"), root), start)
        position = self.statements.body(_or_empty(root.get("position"), root), start)
        phases = self.phases()
        moves = self.moves()
        finish = self.finish()
        keeps = self.keep()
        if names.problems or finish is None:
            raise RuleError(names.problems)
        rules = Rules(
            self.document.id,
            self.document.hash,
            names.counts,
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
            moves,
            finish,
            keeps,
            names.locals,
        )
        problems = [*totality.problems(rules), *honesty.problems(rules)]
        if problems:
            raise RuleError(problems)
        return replace(rules, warnings=tuple(totality.unreached(rules, names.used)))

    # ---- declarations ---------------------------------------------------------------------------------------------

    def declarations(self) -> None:
        names, root = self.names, self.root
        deck = _required(root, "deck")
        with names.reporting():
            declare.players(map_of(_required(root, "players"), "'players'"), names)
        with names.reporting():
            declare.deck(map_of(deck, "'deck'"), names)
        for name, node, key in self.new_entries("options"):
            with names.reporting():
                names.options[name] = declare.option(name, map_of(node, "an option"), key.span)
        for name, node, key in self.new_entries("zones"):
            with names.reporting():
                names.zones[name] = declare.zone(name, map_of(node, "a zone"), names, key.span)
        with names.reporting():
            declare.which_cards(map_of(deck, "'deck'"), names, self.expressions)
        for name, node, key in self.new_entries("variables"):
            with names.reporting():
                names.variables[name] = declare.variable(name, declare.type_text(node), names, self.expressions, key.span)
        names.phases.update(name for name, _, _ in each_entry(root.get("phases"), names, "'phases'"))
        match = root.get("match")
        for name, node, key in self.new_entries("keep", match if isinstance(match, Map) else None):
            with names.reporting():
                names.variables[name] = self.kept_variable(name, map_of(node, "a kept value"), key.span)

    def new_entries(self, section: str, root: Map | None = None) -> Iterator[tuple[str, Node, Text]]:
        """The entries of a section whose names mean nothing else yet."""
        names = self.names
        where = root if root is not None else None if section == "keep" else self.root
        for name, node, key in each_entry(where.get(section) if where else None, names, f"'{section}'"):
            if name in names.zones or name in names.variables or name in names.options:
                names.report(wrong("name-taken", f"'{name}' is already the name of something else", key.span))
            else:
                yield name, node, key

    def kept_variable(self, name: str, node: Map, span: Span) -> Variable:
        text = text_of(_required(node, "is"), "'is'")
        syntax = parse(text, "declaration")
        kind = declare.type_of(syntax[1], self.names)
        kind = kind.or_none if syntax.optional(2) else kind
        self.keeps[name] = (node, span)
        return Variable(name, kind, False, start_value(None, kind, 0), span)

    # ---- definitions ----------------------------------------------------------------------------------------------

    def define_signatures(self) -> None:
        names = self.names
        entries = each_entry(self.root.get("define"), names, "'define'")
        finish = self.root.get("finish")
        if isinstance(finish, Map):
            scores = finish.get("scores")
            entries += [entry for entry in each_entry(finish, names, "'finish'") if entry[0] not in ("scores", "stalemate")]
            entries += each_entry(scores, names, "'scores'")
        for _, node, key in entries:
            with names.reporting():
                self.sign(node, key)
        for _, _, key in each_entry(self.root.get("procedures"), names, "'procedures'"):
            with names.reporting():
                names.procedures.update([declare.signature(key, names)])

    def sign(self, node: Node, key: Text) -> None:
        name, parameters = declare.signature(key, self.names)
        if not name.isidentifier():
            raise wrong(
                "syntax",
                f"'{name}' cannot be used in expressions",
                key.span,
                "names of definitions have underscores, not spaces or hyphens",
            )
        if name in self.bodies or name in self.names.options or name in self.names.zones:
            raise wrong("name-taken", f"'{name}' is already the name of something else", key.span)
        if name in self.names.variables and not (self.names.variables[name].each and parameters):
            raise wrong("name-taken", f"'{name}' is already the name of a variable", key.span)
        self.names.signatures[name] = parameters
        self.parameters[name] = tuple((label, self.names.new_local(label), kind) for label, kind in parameters)
        self.bodies[name] = (node, key.span)

    def define(self, name: str, span: Span) -> Define:
        """The checked definition, checked now if it was not yet."""
        names = self.names
        if name in names.defines:
            return names.defines[name]
        if name in self.failed:
            raise Wrong
        if name in self.open:
            circle = [*self.open[self.open.index(name) :], name]
            self.failed.update(circle)
            raise wrong("circle", f"definitions use each other in a circle: {' → '.join(circle)}", span)
        node, at = self.bodies[name]
        self.open.append(name)
        try:
            scope = Scope({label: Expr("local", kind, data=local) for label, local, kind in self.parameters[name]})
            names.defines[name] = Define(name, self.parameters[name], body(node, scope, self.expressions), at)
        except Wrong:
            self.failed.add(name)
            raise
        finally:
            self.open.pop()
        return names.defines[name]

    def procedures(self) -> dict[str, Procedure]:
        found = {}
        for _, node, key in each_entry(self.root.get("procedures"), self.names, "'procedures'"):
            with self.names.reporting():
                name, parameters = declare.signature(key, self.names)
                named = tuple((label, self.names.new_local(label), kind) for label, kind in parameters)
                scope = Scope({label: Expr("local", kind, data=local) for label, local, kind in named})
                found[name] = Procedure(name, named, self.statements.body(node, scope), key.span)
        return found

    # ---- phases and moves -----------------------------------------------------------------------------------------

    def phases(self) -> dict[str, Phase]:
        found: dict[str, Phase] = {}
        for name, node, key in each_entry(self.root.get("phases"), self.names, "'phases'"):
            with self.names.reporting():
                parts = map_of(node, "a phase")
                actor = self.expressions.fitted(parse(text_of(_required(parts, "actor"), "'actor'"), "expression"), Scope(), PLAYER.or_none)
                nobody = parts.get("nobody")
                found[name] = Phase(name, actor, self.statements.body(nobody, Scope()) if nobody else (), key.span)
        return found

    def moves(self) -> dict[str, Move]:
        nodes = {name: (node, key) for name, node, key in each_entry(self.root.get("moves"), self.names, "'moves'")}
        found: dict[str, Move] = {}
        for name, (node, key) in nodes.items():
            with self.names.reporting():
                found[name] = self.move(name, map_of(node, "a move"), key.span, nodes)
        return found

    def move(self, name: str, parts: Map, span: Span, nodes: Mapping[str, tuple[Node, Text]]) -> Move:
        pattern: Map | None = None
        if like := parts.get("like"):
            text = text_of(like, "'like'")
            if text.value not in nodes or text.value == name:
                raise wrong("unknown-name", f"there is no other move '{text.value}'", text.span, did_you_mean(text.value, nodes))
            pattern = map_of(nodes[text.value][0], "a move")

        def part(key: str) -> Node | None:
            return parts.get(key) or (pattern.get(key) if pattern else None)

        me = self.names.new_local("me")
        scope = Scope({"me": Expr("local", PLAYER, data=me)})
        phases = []
        where = text_of(_required(parts, "in"), "'in'")
        for phase in where.value.split(" + "):
            if phase not in self.names.phases:
                self.names.report(wrong("unknown-name", f"unknown phase '{phase}'", where.span, did_you_mean(phase, self.names.phases)))
            phases.append(phase)
        picks: list[Pick] = []
        for label, node, key in each_entry(part("pick"), self.names, "'pick'"):
            if label in scope.locals:
                raise wrong("name-taken", f"'{label}' is picked already", key.span)
            pick, scope = self.pick(label, text_of(node, "a pick"), key.span, scope)
            picks.append(pick)
        several = {pick.name for pick in picks if pick.several}
        alone = replace(scope, locals={label: value for label, value in scope.locals.items() if label not in several})
        when_node = part("when")
        when = conditions(when_node, alone, self.expressions, "when") if when_node else ()
        known: frozenset[Expr] = frozenset().union(*(facts(clause.condition) for clause in when))
        block = self.statements.body(_required(parts, "do"), scope.knowing(known))
        write = part("write")
        say = {entry.key.value: text_of(entry.value, "a sentence").value for entry in map_of(_required(parts, "say"), "'say'")}
        default = " ".join([name, *(f"{{{pick.name}}}" for pick in picks)])
        notation = text_of(write, "'write'").value if write else default
        return Move(name, tuple(phases), me, tuple(picks), when, block, notation, say, span)

    def pick(self, name: str, text: Text, span: Span, scope: Scope) -> tuple[Pick, Scope]:
        syntax = parse(text, "pick").parts[0]
        assert syntax is not None
        several = None
        same = ""
        local = self.names.new_local(name)
        parts = syntax.parts
        if syntax.kind == "several":
            low = self.expressions.fitted(syntax[0], scope, number(0, 0))
            high = self.expressions.fitted(syntax[1], scope, number(0, 0)) if parts[1] else low
            several = (low, high)
            parts = parts[2:]
            if (kind := parts[1]) is not None:
                same = kind[0].text
                if same not in ("rank", "suit"):
                    raise wrong("syntax", f"cards may be of the same rank or suit, not '{same}'", kind.span)
            parts = (parts[0], *parts[2:])
        assert parts[0] is not None
        domain, element = self.expressions.domain(parts[0], scope)
        if several and element.kind != "card":
            raise wrong("type", f"several cards are picked, this is {domain.type}", syntax.span)
        inside = scope.bind(name, Expr("local", element, data=local))
        where = self.expressions.condition(parts[1], inside) if len(parts) > 1 and parts[1] else None
        when = self.expressions.condition(parts[2], scope) if len(parts) > 2 and parts[2] else None
        kind_of = CARDS if several else element.or_none if when else element
        pick = Pick(name, local, kind_of, domain, where, when, several, same, span)
        return pick, scope.bind(name, Expr("local", kind_of, data=local))

    # ---- the end --------------------------------------------------------------------------------------------------

    def finish(self) -> Finish | None:
        defines = self.names.defines
        node = self.root.get("finish")
        if not isinstance(node, Map):
            self.names.report(wrong("missing", "'finish' is missing", self.root.span))
            return None
        known = {key.split("(")[0]: key for key, _, _ in each_entry(node, self.names, "'finish'")}
        for name, kinds in (("place", ("number",)), ("loser", ("player", "none"))):
            if name in known and name in defines and defines[name].body.type.kind not in kinds:
                message = f"'{name}' gives a {kinds[0]}, this is a {defines[name].body.type}"
                self.names.report(wrong("type", message, defines[name].span))
        if "place" not in known or "loser" not in known:
            self.names.report(wrong("missing", "'finish' says 'place(player p)' and 'loser'", node.span))
        if "place" not in defines or "loser" not in defines:
            return None
        scores = {}
        for _, _, key in each_entry(node.get("scores"), self.names, "'scores'"):
            name = key.value.split("(")[0]
            if name in defines:
                scores[name] = defines[name]
        stalemate = None
        if (given := node.get("stalemate")) is not None:
            with self.names.reporting():
                stalemate = self.expressions.fit(body(given, Scope(), self.expressions), YES_NO, given.span)
        for name in ("place", "loser", *scores):
            self.names.use("definition", name)
        loser = self.expressions.fit(defines["loser"].body, PLAYER.or_none, defines["loser"].span)
        return Finish(defines["place"], loser, stalemate, scores)

    def keep(self) -> dict[str, Keep]:
        found = {}
        for name, (node, _) in self.keeps.items():
            kind = self.names.variables[name].type
            scope = Scope(chance=True)
            with self.names.reporting():
                first, then = (
                    self.expressions.fitted(parse(text_of(_required(node, key), f"'{key}'"), "expression"), scope, kind)
                    for key in ("first", "then")
                )
                found[name] = Keep(name, first, then)
            self.names.use("set", name)
        return found


def _required(node: Map, key: str) -> Node:
    part = node.get(key)
    if part is None:
        raise wrong("missing", f"'{key}' is missing", node.span)
    return part


def _or_empty(node: Node | None, root: Map) -> Node:
    return node if node is not None else Map((), root.span)


__all__ = ["CARD", "YES_NO", "check", "settle"]

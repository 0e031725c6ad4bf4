"""Phases and moves: who acts, what is picked, when it is legal, what it does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from durak_dsl.language import shapes
from durak_dsl.language.clauses import body, conditions, map_of, text_of
from durak_dsl.language.declare import entries, required
from durak_dsl.language.ir import BINDERS, Block, Clause, Expr, Move, Phase, Pick
from durak_dsl.language.literals import TOGETHER
from durak_dsl.language.names import Names
from durak_dsl.language.scope import Scope
from durak_dsl.language.statements import Statements
from durak_dsl.language.syntax import Syntax
from durak_dsl.language.types import CARDS, MOST_PICKED, MOST_PICKS, PLAYER, Type, number
from durak_dsl.language.wrong import wrong
from durak_dsl.problems import Span, did_you_mean
from durak_dsl.source.nodes import Map, Node, Text

SIDES = ("loser", "winner")  # whom the sentences about the end may name
_NAMED = re.compile(r"\{([^{}]*)\}")
_WRITTEN = {"same": "same", "shape": "shape", "adding": "adding up to"}

# What is asked of cards together.
ALL_TOGETHER = BINDERS | {"count", "ranks of", "suits of"}


def sentences(node: Map, known: list[str], names: Names, broken: frozenset[str] = frozenset()) -> dict[str, str]:
    """Sentences for people by language; what stands in braces in them must be known."""
    found = {}
    for entry in node:
        text = text_of(entry.value, "a sentence")
        for match in _NAMED.finditer(text.value):
            if match[1] not in known and match[1] not in broken:
                hint = did_you_mean(match[1], known) or (f"known here: {', '.join(known)}" if known else "the move has no picks")
                ends = known == [*SIDES]
                message = f"this sentence knows no '{match[1]}'" if ends else f"nothing is picked that is called '{match[1]}'"
                names.report(wrong("unknown-name", message, text.at(match.start(), len(match.group())), hint))
        found[entry.key.value] = text.value
    return found


def named_in(node: Map) -> dict[str, Span]:
    """What sentences name in braces, and where first."""
    found: dict[str, Span] = {}
    for entry in node:
        text = text_of(entry.value, "a sentence")
        for match in _NAMED.finditer(text.value):
            found.setdefault(match[1], text.at(match.start(), len(match.group())))
    return found


class Moves:
    """Checks the phases and moves of one rule file."""

    def __init__(self, statements: Statements):
        self.statements = statements
        self.expressions = statements.expressions
        self.names = statements.names

    def phases(self, node: Node | None) -> dict[str, Phase]:
        """All phases."""
        found: dict[str, Phase] = {}
        for name, inner, key in entries(node, self.names, "'phases'"):
            with self.names.reporting():
                parts = map_of(inner, "a phase")
                nobody = parts.get("nobody")
                block = self.statements.body(nobody, Scope()) if nobody else ()
                actor_node = required(parts, "actor", key.span)
                actor = self.expressions.fit(body(actor_node, Scope(), self.expressions), PLAYER.or_none, actor_node.span)
                found[name] = Phase(name, actor, block, key.span)
        return found

    def moves(self, node: Node | None) -> dict[str, Move]:
        """All moves."""
        nodes = {name: (inner, key) for name, inner, key in entries(node, self.names, "'moves'")}
        found: dict[str, Move] = {}
        for name, (inner, key) in nodes.items():
            with self.names.reporting():
                parts = map_of(inner, "a move")
                found[name] = self._move(name, parts, key.span, self._pattern(name, parts, nodes))
        return found

    def _pattern(self, name: str, parts: Map, nodes: dict[str, tuple[Node, Text]]) -> Map | None:
        """The move that this one is like."""
        like = parts.get("like")
        if like is None:
            return None
        with self.names.reporting():
            text = text_of(like, "'like'")
            if text.value == name:
                raise wrong("circle", f"move '{name}' is like itself", text.span)
            if text.value not in nodes:
                raise self.names.unknown("unknown move", text.value, text.span, nodes)
            pattern = map_of(nodes[text.value][0], "a move")
            if (further := pattern.get("like")) is not None:
                other = text_of(further, "'like'").value
                hint = f"write '{other}'" if other != name else ""
                raise wrong("circle", f"move '{text.value}' is itself like '{other}'", text.span, hint)
            return pattern
        return None

    def _move(self, name: str, parts: Map, span: Span, pattern: Map | None) -> Move:
        def part(key: str) -> Node | None:
            return parts.get(key) or (pattern.get(key) if pattern else None)

        me = self.names.new_local("me")
        scope = Scope({"me": Expr("local", PLAYER, data=me)})
        phases: tuple[str, ...] = ()
        with self.names.reporting():
            phases = tuple(self._in(text_of(required(parts, "in", span), "'in'")))
        picks, scope = self._picks(part("pick"), scope)
        when: tuple[Clause, ...] = ()
        if (when_node := part("when")) is not None:
            late = frozenset(pick.name for pick in picks if pick.several)
            alone = replace(scope, locals={label: value for label, value in scope.locals.items() if label not in late}, late=late)
            when = conditions(when_node, alone, self.expressions, "when")
        for clause in when:
            scope = scope.told(clause.condition)
        block: Block = ()
        with self.names.reporting():
            block = self.statements.body(required(parts, "do", span), scope)
        say: dict[str, str] = {}
        told: dict[str, Span] = {}
        picked = [pick.name for pick in picks]
        with self.names.reporting():
            spoken = map_of(required(parts, "say", span), "'say'")
            say, told = sentences(spoken, ["me", *picked], self.names, scope.broken), named_in(spoken)
        call: dict[str, str] = {}
        with self.names.reporting():
            if (calls := parts.get("call")) is not None:
                call = sentences(map_of(calls, "'call'"), picked, self.names, scope.broken)
        write = part("write") if parts.get("write") else None
        default = " ".join([name, *(f"{{{pick.name}}}" for pick in picks)])
        notation = text_of(write, "'write'").value if write else default
        return Move(name, phases, me, tuple(picks), when, block, notation, say, span, call, told)

    def _in(self, where: Text) -> Iterator[str]:
        seen = set()
        for match in re.finditer(r"[^+\s]+( +[^+\s]+)*", where.value):
            phase, span = match.group(), where.at(match.start(), len(match.group()))
            if phase not in self.names.phases:
                self.names.report(self.names.unknown("unknown phase", phase, span, self.names.phases))
            elif phase in seen:
                self.names.report(wrong("name-taken", f"phase '{phase}' stands twice", span))
            seen.add(phase)
            yield phase

    # ---- picks ----------------------------------------------------------------------------------------------------

    def _picks(self, node: Node | None, scope: Scope) -> tuple[list[Pick], Scope]:
        picks: list[Pick] = []
        several = ""
        for position, (label, inner, key) in enumerate(entries(node, self.names, "'pick'")):
            try_scope = scope.breaking(label)
            with self.names.reporting():
                if label in scope.locals:
                    raise wrong("name-taken", f"'{label}' is picked already", key.span)
                self.names.check_name(label, key.span, "a pick")
                if position == MOST_PICKS:
                    raise wrong("bounds", f"a move has at most {MOST_PICKS} picks", key.span)
                if several:
                    hint = f"pick '{label}' before '{several}'"
                    raise wrong("type", f"a pick of several cards comes last; after '{several}' nothing can be picked", key.span, hint)
                pick, try_scope = self._pick(label, text_of(inner, "a pick"), key.span, scope, first=position == 0)
                picks.append(pick)
                several = label if pick.several else ""
            scope = try_scope
        return picks, scope

    def _pick(self, name: str, text: Text, span: Span, scope: Scope, first: bool) -> tuple[Pick, Scope]:
        syntax = self.expressions.parse(text, "pick")[0]
        local = self.names.new_local(name)
        parts, several, pattern = syntax.parts, None, None
        if syntax.kind == "several":
            several = self._how_many(syntax, scope)
            pattern = self._pattern_of(syntax[3])
            parts = (parts[2], *parts[4:])
        same = pattern[0].text if pattern and pattern.kind == "same" else ""
        shape = pattern if pattern and pattern.kind == "shape" else None
        assert parts[0] is not None
        numbers = parts[0].kind == "between"
        domain, element = self._between(parts[0], scope) if numbers else self.expressions.domain(parts[0], scope)
        if several and element.kind != "card":
            raise wrong("type", f"several cards are picked from a set of cards; this is {domain.type.a}", parts[0].span)
        if several and shape is not None:
            deck, (fewest, most) = self.names.deck, several
            shapes.check(shapes.read(shape), max(fewest.type.low, 0), most.type.high, len(deck.suits) * deck.copies, shape.span)
        inside = scope.bind(name, Expr("local", element, data=local))
        adding = self._adding(pattern, scope, inside) if pattern and pattern.kind == "adding" else None
        where = self.expressions.condition(parts[1], inside) if len(parts) > 1 and parts[1] else None
        if several and where is not None:
            self._one_by_one(name, local, where)
        when = None
        if len(parts) > 2 and parts[2]:
            if several:
                raise wrong("type", "a pick of several cards has no 'when'", parts[2].span, "a lower bound of 0 lets it pick none")
            if numbers:
                hint = "its bounds may depend on a test: '(1 if C else 0) to 5'"
                raise wrong("type", "a pick of a number has no 'when'", parts[2].span, hint)
            if first:
                raise wrong("type", "the first pick of a move has no 'when'", parts[2].span, "put the condition under the move's 'when'")
            when = self.expressions.condition(parts[2], scope)
        kind = CARDS if several else element.or_none if when else element
        after = scope.bind(name, Expr("local", kind, data=local))
        if where is not None and when is None and not several:
            after = after.told(where)
        return Pick(name, local, kind, domain, where, when, several, same, span, shapes.read(shape) if shape else (), adding), after

    def _between(self, syntax: Syntax, scope: Scope) -> tuple[Expr, Type]:
        """The numbers one of which is picked, and their type."""
        low, high = (self.expressions.fitted(syntax[end], scope, number(0, 0)) for end in (0, 1))
        if low.type.low < 0:
            message = f"this can be {low.type.low:,}; numbers are picked from 0 on"
            raise wrong("bounds", message, syntax[0].span, "bound it, as in max(x, 0)")
        if high.type.high > MOST_PICKED:
            message = f"this can reach {high.type.high:,}; numbers are picked up to {MOST_PICKED:,}"
            raise wrong("bounds", message, syntax[1].span, "bound it, as in min(x, 100)")
        if low.type.low > high.type.high:
            raise wrong("bounds", f"{syntax.shown} holds no number", syntax.span, "the smaller number comes first")
        element = number(low.type.low, high.type.high)
        return Expr("between", replace(element, kind="numbers"), (low, high), at=syntax.span), element

    def _how_many(self, syntax: Syntax, scope: Scope) -> tuple[Expr, Expr]:
        low = self.expressions.fitted(syntax[0], scope, number(0, 0))
        written = syntax.optional(1)
        high = self.expressions.fitted(written, scope, number(0, 0)) if written else low
        if high.type.high < 1:
            raise wrong("bounds", f"this is at most {high.type.high}: nothing could be picked", (written or syntax[0]).span)
        if low.type.low > high.type.high:
            message = f"{syntax[0].shown} is more than {(written or syntax[0]).shown}"
            raise wrong("bounds", message, syntax[0].span, "the smaller number comes first")
        return low, high

    def _adding(self, syntax: Syntax, scope: Scope, inside: Scope) -> tuple[Expr, Expr]:
        """The value of a card, and the total to which those picked add up."""
        total = self.expressions.reached(syntax[0], scope)
        value = self.expressions.fitted(syntax[1], inside, number(0, 0))
        self.expressions.not_negative(value, syntax[1])
        return value, total

    def _one_by_one(self, name: str, local: int, where: Expr) -> None:
        """Raise Wrong where the condition on each card of a pick takes the pick's name for all of them."""
        for part in where.walk():
            of = part.args[0] if part.args else part
            if part.op in ALL_TOGETHER and of.op == "cards" and of.args[0].op == "local" and of.args[0].data == local:
                raise wrong("type", f"here '{name}' is a single card: 'where' is asked of each", of.at or where.at, TOGETHER)

    def _pattern_of(self, syntax: Syntax) -> Syntax | None:
        """What all cards of a pick have the same, their shape, or what they add up to: at most one of the three."""
        parts = [part for part in syntax.parts if part is not None]
        for part in parts:
            if part.kind == "same" and part[0].text not in ("rank", "suit"):
                raise wrong("syntax", f"cards may be of the same rank or suit, not '{part[0].shown}'", part[0].span)
        if len(parts) > 1:
            kind, other = parts[0].kind, parts[1]
            if kind == other.kind:
                hint = "several shapes are joined by '|'" if kind == "shape" else ""
                raise wrong("syntax", f"'{_WRITTEN[kind]}' stands twice in this pick", other.span, hint)
            both = {kind, other.kind} == {"same", "shape"}
            hint = "cards of one rank are a shape of one group, as in 'shape 2 | 3'" if both else ""
            one, two = sorted((_WRITTEN[kind], _WRITTEN[other.kind]))
            raise wrong("syntax", f"a pick has either '{one}' or '{two}', not both", other.span, hint)
        return parts[0] if parts else None

"""What is read when a deal is over, what is kept for the next one, and how a match ends."""

from __future__ import annotations

from collections.abc import Mapping

from durak_dsl.language import declare
from durak_dsl.language.clauses import body, map_of
from durak_dsl.language.declare import entries
from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Define, Expr, Finish, Keep, Match
from durak_dsl.language.moves import SIDES, sentences
from durak_dsl.language.scope import Scope
from durak_dsl.language.types import NOTHING, PLAYER, PLAYERS, TEAM, TEAMS, YES_NO, Type, number
from durak_dsl.language.wrong import wrong
from durak_dsl.problems import Span
from durak_dsl.source import merge
from durak_dsl.source.nodes import Map, Node, Text

NUMBERS = (Type("number"),)

# The place in a match is worked out like a definition, but nothing can call it: no name in an expression has a space.
MATCH_PLACE = "match place"


class Ends:
    """Checks `finish` and `match` of one rule file."""

    def __init__(self, root: Map, expressions: Expressions):
        self.root = root
        self.expressions = expressions
        self.names = expressions.names

    # ---- a deal --------------------------------------------------------------------------------------------------

    def finish(self) -> Finish | None:
        """What is read when a deal is over."""
        names, node = self.names, self.root.get("finish")
        if not isinstance(node, Map):
            names.report(wrong("missing", "'finish' is missing", self.root.span))
            return None
        place = self.result(node, "place", ("player",), NUMBERS)
        loser, winner = (self.result(node, name, (), self.losing) if node.get(name) else None for name in ("loser", "winner"))
        scores = {}
        for _, _, key in entries(node.get("scores"), names, "'scores'"):
            name = key.value.partition("(")[0].strip()
            if (score := self.result(node, name, ("player",), NUMBERS, key)) is not None:
                scores[name] = score
        stalemate = None
        if (given := node.get("stalemate")) is not None:
            with names.reporting():
                stalemate = self.expressions.fit(body(given, Scope(), self.expressions), YES_NO, given.span)
        if place is None or (loser is None and node.get("loser")):
            return None
        last = self.last_alone(place) if loser is None else self.of_side(loser.body, loser.span)
        first = self.of_side(winner.body, winner.span) if winner is not None else None
        return Finish(place, last, stalemate, scores, self.says(node), first)

    @property
    def losing(self) -> tuple[Type, ...]:
        """The types of who may lose or win: a player; where there are teams, also one of them."""
        return (PLAYER.or_none, TEAM.or_none) if self.names.teams else (PLAYER.or_none,)

    def of_side(self, value: Expr, span: Span) -> Expr:
        """The player or team that has lost or won, or none."""
        return self.expressions.fit(value, TEAM.or_none if value.type.kind == "team" and self.names.teams else PLAYER.or_none, span)

    def says(self, node: Map) -> dict[str, str]:
        """How the loser, or the winner, is named to people."""
        with self.names.reporting():
            if (said := node.get("says")) is not None:
                return sentences(map_of(said, "'says'"), [*SIDES], self.names)
        return {}

    def last_alone(self, place: Define) -> Expr:
        """Who alone has the last place, or none: the loser of a game that names none; where there are teams, a team."""
        span, sides = place.span, self.sides(place.span)
        everyone, side = Expr("everyone", PLAYERS, at=span), self.local("s", self.losing[-1].sure, span)
        one, other = self.local("p", PLAYER, span) if self.names.teams else side, self.local("q", PLAYER, span)
        of_it, of_others = (Expr(op, YES_NO, (self.side(who), side), at=span) for op, who in (("==", one), ("!=", other)))
        places = tuple(Expr("call", place.body.type, (who,), place.name, span) for who in (other, one))
        last = Expr("every", YES_NO, (everyone, of_others, Expr("<", YES_NO, places, at=span)), other.data, span)
        if self.names.teams:
            last = Expr("every", YES_NO, (everyone, of_it, last), one.data, span)
        return Expr("first", side.type.or_none, (sides, last), side.data, span)

    def sides(self, span: Span) -> Expr:
        """All who may lose."""
        return Expr("every team", TEAMS, at=span) if self.names.teams else Expr("everyone", PLAYERS, at=span)

    def side(self, who: Expr) -> Expr:
        """With whom a player loses: his team, where there are teams, else he himself."""
        return Expr("team", TEAM, (who,), at=who.at) if self.names.teams else who

    def local(self, name: str, kind: Type, span: Span) -> Expr:
        """A new name for an element."""
        return Expr("local", kind, data=self.names.new_local(name), at=span)

    def result(self, node: Map, name: str, takes: tuple[str, ...], gives: tuple[Type, ...], key: Text | None = None) -> Define | None:
        """What `finish` says under one name: a definition of a set form."""
        names = self.names
        key = key or next((entry.key for entry in node if entry.key.value.partition("(")[0].strip() == name), None)
        form = f"{name}(player p)" if takes else name
        if key is None:
            names.report(wrong("missing", f"'finish' does not say '{form}'", node.span))
            return None
        define = names.defines.get(name)
        if define is None:
            return None
        names.use("definition", name)
        kind = define.body.type
        with names.reporting():
            if tuple(kind.kind for _, _, kind in define.parameters) != takes:
                raise wrong("arity", f"'{name}' is written '{form}'", key.span)
            if not any(kind.kind in (wanted.kind, "none") and (wanted.maybe or not kind.maybe) for wanted in gives):
                wanted = ", or ".join(wanted.a for wanted in gives)
                raise wrong("type", f"'{name}' is {wanted}; this gives {kind.a}", define.body.at or define.span)
            return define
        return None

    # ---- a match --------------------------------------------------------------------------------------------------

    def keep(self, keeps: Mapping[str, Map]) -> dict[str, Keep]:
        """What is kept from deal to deal."""
        found = {}
        for name, node in keeps.items():
            if name not in self.names.variables:
                continue
            values = []
            for part in ("first", "then"):
                with self.names.reporting():
                    values.append(self.kept(name, part, node))
            if len(values) == 2:
                found[name] = Keep(name, *values)
            self.names.use("set", name)
        return found

    def kept(self, name: str, part: str, node: Map) -> Define:
        """The value of what is kept in the first deal, or after a deal; of each player where each has one."""
        variable = self.names.variables[name]
        entry = next((entry for entry in node if merge.bare(entry.key.value) == part), None)
        if entry is None:
            form = f"{part}(player p)" if variable.each and part == "then" else part
            raise wrong("missing", f"'{form}' is missing", node.span)
        key = entry.key
        _, written = declare.signature(key, self.names)
        if written and not variable.each:
            raise wrong("arity", f"'{name}' is one value for the table: write '{part}'", key.span)
        if [kind.kind for _, kind, _ in written] not in ([], ["player"]):
            raise wrong("arity", f"'{part}' of each player is written '{part}(player p)'", key.span)
        for label, _, span in written:
            self.names.check_name(label, span, "a parameter")
        label = written[0][0] if written else "p"
        parameters = ((label, self.names.new_local(label), PLAYER),) if variable.each else ()
        scope = Scope({inner: Expr("local", kind, data=local) for inner, local, kind in parameters if written}, chance=True)
        value = self.expressions.fit(body(entry.value, scope, self.expressions), variable.type, entry.value.span)
        return Define(name, parameters, value, key.span)

    def match(self, keeps: Mapping[str, Keep]) -> Match:
        """When a match is over, and who has lost it."""
        names, node = self.names, self.root.get("match")
        if not isinstance(node, Map):
            return Match()
        over: Expr | None = None
        if (given := node.get("over")) is not None:
            with names.reporting():
                over = self.expressions.fit(body(given, Scope(), self.expressions), YES_NO, given.span)
        place, loser = self.match_place(node), self.match_loser(node)
        said = node.get("loser") or next((entry.value for entry in node if merge.bare(entry.key.value) == "place"), None)
        if said is None:
            for key in ("over", "says"):
                if (span := node.key(key)) is not None:
                    message = f"'{key}' is said of a match that nobody loses: 'match' says neither 'place(player p)' nor 'loser'"
                    names.report(wrong("missing", message, span.span))
        if place is None and loser is None:
            return Match(over)
        if place is None:
            assert loser is not None
            place = self.loser_last(loser)
        names.defines[MATCH_PLACE] = place
        names.use("definition", MATCH_PLACE)
        found = Match(over, place, self.last_alone(place) if loser is None else loser, self.says(node))
        self.old_values(found, keeps)
        return found

    def match_place(self, node: Map) -> Define | None:
        """The place of each player in the match."""
        entry = next((entry for entry in node if merge.bare(entry.key.value) == "place"), None)
        if entry is None:
            return None
        with self.names.reporting():
            _, written = declare.signature(entry.key, self.names)
            if [kind.kind for _, kind, _ in written] != ["player"]:
                raise wrong("arity", "'place' is written 'place(player p)'", entry.key.span)
            label, kind, span = written[0]
            self.names.check_name(label, span, "a parameter")
            local = self.names.new_local(label)
            value = body(entry.value, Scope({label: Expr("local", kind, data=local)}), self.expressions)
            if value.type.kind != "number" or value.type.maybe:
                raise wrong("type", f"'place' is a number; this gives {value.type.a}", value.at or entry.value.span)
            return Define(MATCH_PLACE, ((label, local, kind),), value, entry.key.span)
        return None

    def match_loser(self, node: Map) -> Expr | None:
        """Who has lost the match, where that is said."""
        if (given := node.get("loser")) is not None:
            with self.names.reporting():
                return self.of_side(body(given, Scope(), self.expressions), given.span)
        return None

    def loser_last(self, loser: Expr) -> Define:
        """The places in a match of which only the loser is said: he (each of his team) comes after all others, who share the first."""
        span = loser.at or self.root.span
        seats = number(1, self.names.seats)
        number_of_one = self.names.new_local("p")
        one, other = Expr("local", PLAYER, data=number_of_one, at=span), self.local("q", PLAYER, span)
        everyone, first = Expr("everyone", PLAYERS, at=span), Expr("const", number(1, 1), data=1, at=span)
        mine, others = (self.side(who) if loser.type.kind == "team" else who for who in (one, other))
        against = Expr("filter", PLAYERS, (everyone, Expr("!=", YES_NO, (others, mine), at=span)), other.data, span)
        last = Expr("+", seats, (first, Expr("count", number(0, self.names.seats - 1), (against,), at=span)), at=span)
        lost = Expr("==", YES_NO, (mine, loser), at=span)
        return Define(MATCH_PLACE, (("p", number_of_one, PLAYER),), Expr("if", seats, (lost, last, first), at=span), span)

    def old_values(self, match: Match, keeps: Mapping[str, Keep]) -> None:
        """Report what 'finish' says of the deal where that would be worked out anew from values of the next deal."""
        node = self.root.get("finish")
        names = [entry.key.value for entry in node] if isinstance(node, Map) else []
        scores = node.get("scores") if isinstance(node, Map) else None
        names += [entry.key.value for entry in scores] if isinstance(scores, Map) else []
        said = {merge.bare(name) for name in names}
        for expr in (match.over, match.place.body if match.place is not None else None, match.loser):
            for inner in expr.walk() if expr is not None else ():
                for define in self.called(inner):
                    read = next((name for name in keeps if define.name in said and self.reads(define, name)), None)
                    if read is not None:
                        message = f"'{define.name}' of the deal depends on '{read}', which has its next value when this is asked"
                        self.names.report(wrong("old-value", message, inner.at or define.span, "keep what is needed of the deal"))

    def called(self, expr: Expr) -> list[Define]:
        """The definition that an expression itself calls, and those that it calls in turn."""
        found: dict[str, Define] = {}
        left = [expr] if expr.op == "call" else []
        while left:
            name = str(left.pop().data)
            if name not in found and (define := self.names.defines.get(name)) is not None:
                found[name] = define
                left += [inner for inner in define.body.walk() if inner.op == "call"]
        return [*found.values()]

    def reads(self, define: Define, variable: str) -> bool:
        """Whether a definition reads a variable, itself or through others."""
        others = [other.body for inner in define.body.walk() for other in self.called(inner)]
        return any(inner.op == "read" and inner.data == variable for part in (define.body, *others) for inner in part.walk())


def unnamed(node: Node) -> Node:
    """What works out a score, without the names that people call it by."""
    if not isinstance(node, Map):
        return node
    parts = tuple(entry for entry in node if entry.key.value not in ("en", "ru"))
    only = Map(parts, node.span)
    value = only.get("is")
    return value if value is not None and len(parts) == 1 else only


def no_finish(span: Span) -> Finish:
    """What stands for a 'finish' that is missing or wrong."""
    nobody = Expr("const", NOTHING, data=-1)
    return Finish(Define("place", (), nobody, span), nobody, None, {})

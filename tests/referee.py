"""A slow, obvious evaluator of the typed meaning of rules: no folding, no tables, no masks. The compiled code must do what this does.

Values are plain Python: none is None, a set a frozenset, yes/no a bool, a pile its place in the row, a zone a `Place`. Zones are
sets, lists (stacks, bottom first) and lists of lists (rows of piles).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from durak_dsl.language.ir import NO_NUMBER, NONE, Block, Expr, Move, Pick, Rules, Statement
from durak_dsl.language.types import ELEMENT_OF, Type

Env = dict[int, Any]


class Fault(Exception):
    """The rules left their own bounds."""


class PileIsGone(Fault):
    """Something was asked of a pile that is no more."""


class Go(Exception):
    """A statement ended the move: the next phase, or None at the end of the deal."""

    def __init__(self, phase: str | None):
        self.phase = phase


class Again(Exception):
    """The deal starts afresh."""


class Place(NamedTuple):
    """A zone of the table (seat None) or of a seat."""

    zone: str
    seat: int | None


class Whole(NamedTuple):
    """A whole move: its name and the value of each pick."""

    name: str
    picks: tuple[Any, ...]


def plain(kind: Type, number: int) -> Any:
    """A number of the typed meaning as a plain value."""
    if kind.kind == "yes/no" and not kind.maybe:
        return bool(number)
    if kind.kind in ELEMENT_OF:
        return frozenset(bit for bit in range(number.bit_length()) if number >> bit & 1)
    if kind.maybe and number == (NO_NUMBER if kind.kind == "number" else NONE):
        return None
    return number


def splits(ranks: Sequence[int], groups: Sequence[int]) -> bool:
    """Whether cards of these ranks can be split exactly into groups of these sizes, each of one rank."""
    if not groups:
        return not ranks
    if len(ranks) != sum(groups):
        return False
    for rank in set(ranks):
        others = [other for other in ranks if other != rank]
        left = len(ranks) - len(others) - groups[0]
        if left >= 0 and splits([*others, *[rank] * left], groups[1:]):
            return True
    return False


class Referee:
    """A table at which a game is played by its rules, statement by statement."""

    def __init__(self, rules: Rules, options: Mapping[str, int], seats: int, chance: Callable[[int], int]):
        self.rules, self.options, self.seats, self.chance = rules, options, seats, chance
        self.actor: int | None = None
        self.phase: str | None = None
        self.clear_table()

    # ---- the table ------------------------------------------------------------------------------------------------

    def clear_table(self) -> None:
        """Variables at their starts, zones empty."""
        make: dict[str, Callable[[], Any]] = {"set": set, "stack": list, "row": list}
        self.variables: dict[str, Any] = {}
        for variable in self.rules.variables.values():
            start = plain(variable.type, variable.start)
            self.variables[variable.name] = [start] * self.seats if variable.each else start
        self.zones = {
            zone.name: [make[zone.kind]() for _ in range(self.seats)] if zone.each else make[zone.kind]()
            for zone in self.rules.zones.values()
        }
        self.face_down: set[int] = set()

    def lies(self, place: Place) -> Any:
        """What lies in a zone."""
        zone = self.zones[place.zone]
        return zone if place.seat is None else zone[place.seat]

    def everything(self) -> Iterator[tuple[str, Any]]:
        """Every zone of the table and of each seat: its name and what lies there."""
        for name, zone in self.zones.items():
            for part in zone if self.rules.zones[name].each else [zone]:
                yield name, part

    def pile(self, row: str, number: int) -> list[int]:
        """A pile of a row."""
        if not 0 <= number < len(self.zones[row]):
            raise PileIsGone(f"pile {number} of {row}")
        pile: list[int] = self.zones[row][number]
        return pile

    def cards_of(self, value: Any, kind: Type) -> list[int]:
        """The cards of anything that has some: a set's ascending, a stack's and a pile's from the bottom, a row's pile by pile."""
        if value is None:
            return []
        if kind.kind == "card":
            return [value]
        if kind.kind == "pile":
            return list(self.pile(kind.zone, value))
        if kind.kind == "piles":
            return [card for pile in sorted(value) for card in self.pile(kind.zone, pile)]
        if isinstance(value, Place):
            lying = self.lies(value)
            if kind.kind == "row":
                return [card for pile in lying for card in pile]
            return list(lying) if kind.kind == "stack" else sorted(lying)
        return sorted(value)

    # ---- the course of a deal -------------------------------------------------------------------------------------

    def new(self, deck: Sequence[int], kept: Mapping[str, Any] | None = None) -> None:
        """Deal from this deck, the top first; values kept from the deal before."""
        self.given = True
        values: dict[str, Any] = {}
        for name, keep in self.rules.keeps.items():
            values[name] = self.variables[name] = kept[name] if kept is not None and name in kept else self.kept(keep.first)
        while True:
            self.clear_table()
            self.variables.update(values)
            self.zones[self.rules.deck.start].extend(reversed(deck))
            try:
                self.run(self.rules.setup)
            except Again:
                self.given = False
                continue
            return

    def run(self, block: Block, env: Env | None = None) -> None:
        """Carry out a body that ends in a `go`, then find who acts."""
        try:
            self.carry_out(block, {} if env is None else env)
        except Go as go:
            self.phase = go.phase
        self.actor = None
        for _ in range(1000):
            if self.phase is None:
                return
            phase = self.rules.phases[self.phase]
            self.actor = self.value(phase.actor, {})
            if self.actor is not None:
                return
            try:
                self.carry_out(phase.nobody, {})
            except Go as go:
                self.phase = go.phase
            else:
                raise Fault("nobody acts")
        raise Fault("still nobody acts")

    def legal(self) -> list[Whole]:
        """Every legal whole move, by trying them all; of those that look alike the first."""
        if self.phase is None:
            return []
        found: dict[Any, Whole] = {}
        for move in self.rules.moves.values():
            for whole in self.ways(move, {move.me: self.actor}, ()) if self.phase in move.phases else ():
                looks = [self.look(value, pick) for value, pick in zip(whole.picks, move.picks, strict=True)]
                found.setdefault((move.name, *looks), whole)
        return list(found.values())

    def look(self, value: Any, pick: Pick) -> Any:
        """What is picked, as one sees it: copies of a card look alike, and piles of such cards where none lies face down."""
        copies = self.rules.deck.copies
        if isinstance(value, frozenset):
            return tuple(sorted(card // copies for card in value))
        if value is None or pick.type.kind not in ("card", "pile"):
            return value
        if pick.type.kind == "card":
            return value // copies
        pile = self.pile(pick.type.zone, value)
        return value if self.face_down & set(pile) else tuple(card // copies for card in pile)

    def ways(self, move: Move, env: Env, picked: tuple[Any, ...]) -> Iterator[Whole]:
        """Every way to finish a move whose first picks are made."""
        if len(picked) == len(move.picks):
            if all(self.value(clause.condition, env) for clause in move.when):
                yield Whole(move.name, picked)
            return
        pick = move.picks[len(picked)]
        for value in self.choices(pick, env):
            yield from self.ways(move, {**env, pick.local: value}, (*picked, value))

    def choices(self, pick: Pick, env: Env) -> Iterable[Any]:
        """What may be picked."""
        if pick.when is not None and not self.value(pick.when, env):
            return [None]
        fitting = [x for x in self.elements(pick.domain, env) if pick.where is None or self.value(pick.where, {**env, pick.local: x})]
        if pick.several is None:
            return fitting
        low, high = (self.value(bound, env) for bound in pick.several)
        found = []
        for count in range(max(low, 0), min(high, len(fitting)) + 1):
            for cards in itertools.combinations(fitting, count):
                key = {"rank": self.rank, "suit": self.suit}.get(pick.same)
                shaped = not pick.shape or not cards or any(splits([self.rank(card) for card in cards], way) for way in pick.shape)
                if shaped and self.adds_up(pick, cards, env) and (key is None or len({key(card) for card in cards}) <= 1):
                    found.append(frozenset(cards))
        return found

    def adds_up(self, pick: Pick, cards: Sequence[int], env: Env) -> bool:
        """Whether cards, if there are any, have the sum that is wanted, if one is."""
        if pick.adding is None or not cards:
            return True
        value, total = pick.adding
        return sum(self.value(value, {**env, pick.local: card}) for card in cards) == self.value(total, env)

    def make(self, whole: Whole) -> None:
        """Make a move."""
        move = self.rules.moves[whole.name]
        env = {move.me: self.actor, **{pick.local: value for pick, value in zip(move.picks, whole.picks, strict=True)}}
        self.run(move.body, env)

    def result(self) -> dict[str, Any]:
        """What is read when the deal is over."""
        finish, seats = self.rules.finish, range(self.seats)

        def of_each(define: Any) -> list[Any]:
            return [self.value(define.body, {define.parameters[0][1]: seat}) for seat in seats]

        return {
            "place": of_each(finish.place),
            "loser": self.value(finish.loser, {}),
            "winner": self.value(finish.winner, {}) if finish.winner is not None else None,
            "stalemate": finish.stalemate is not None and self.value(finish.stalemate, {}),
            **{name: of_each(define) for name, define in finish.scores.items()},
        }

    def kept(self, define: Any) -> Any:
        """What is kept for a deal: one value, or one of each seat."""
        if not define.parameters:
            return self.value(define.body, {})
        return [self.value(define.body, {define.parameters[0][1]: seat}) for seat in range(self.seats)]

    def match(self) -> dict[str, Any]:
        """What is kept for the next deal, whether the match is over, places and loser in it; the table stays as it is."""
        old, rules = self.variables, self.rules
        new = {name: self.kept(keep.then) for name, keep in rules.keeps.items()}
        self.variables = {**old, **new}
        over = rules.match.over is not None and self.value(rules.match.over, {})
        places = self.kept(rules.match.place) if rules.match.place else []
        said = rules.match.loser is not None and (over or rules.match.over is None)
        loser = self.value(rules.match.loser, {}) if rules.match.loser is not None and said else None
        self.variables = old
        return {"kept": new, "over": over, "places": places, "loser": loser}

    # ---- statements -----------------------------------------------------------------------------------------------

    def carry_out(self, block: Block, env: Env) -> None:
        """Carry out the statements of a body in order."""
        for statement in block:
            getattr(self, "do_" + statement.op.replace(" ", "_"))(statement, env)

    def do_step(self, statement: Statement, env: Env) -> None:
        self.carry_out(statement.blocks[0], env)

    def do_assign(self, statement: Statement, env: Env) -> None:
        name, value = str(statement.data), self.value(statement.args[0], env)
        kind = self.rules.variables[name].type
        if kind.kind == "number" and value is not None and not kind.low <= value <= kind.high:
            raise Fault(f"{name} = {value}")
        if len(statement.args) > 1:
            self.variables[name][self.value(statement.args[1], env)] = value
        else:
            self.variables[name] = value

    do_announce = do_assign

    def do_let(self, statement: Statement, env: Env) -> None:
        assert isinstance(statement.data, int)
        env[statement.data] = self.value(statement.args[0], env)

    def do_clear(self, statement: Statement, env: Env) -> None:
        variable = self.rules.variables[str(statement.data)]
        start = plain(variable.type, variable.start)
        self.variables[variable.name] = [start] * self.seats if variable.each else start

    def do_move(self, statement: Statement, env: Env) -> None:
        what, where = statement.args
        to: Any = statement.data
        cards = self.cards_of(self.value(what, env), what.type)
        place = self.value(where, env)
        onto = self.pile(where.type.zone, place) if to.kind == "onto" else self.lies(place)
        if to.kind != "random":
            self.take_away(cards)
        if to.kind == "set":
            onto |= set(cards)
        elif to.kind == "new piles":
            onto += [[card] for card in cards]
        elif to.kind == "new pile":
            onto.append(list(cards))
        elif to.kind == "bottom":
            onto[:0] = cards if what.type.kind in ("stack", "pile") else reversed(cards)  # those keep their order, others go one by one
        elif to.kind == "random":
            for card in cards:  # one by one, the places in the stack being counted without it
                self.take_away([card])
                onto.insert(self.chance(len(onto) + 1), card)
        else:
            onto += cards
        self.face_down -= set(cards)
        if to.face_down:
            self.face_down |= set(cards)
        for name, lying in self.everything():
            zone = self.rules.zones[name]
            if zone.kind == "row":
                lying[:] = [pile for pile in lying if pile]
                if len(lying) > zone.most or any(len(pile) > zone.high for pile in lying):
                    raise Fault(f"{name} is too full")
            elif len(lying) > zone.most:
                raise Fault(f"{name} is too full")

    def take_away(self, cards: Sequence[int]) -> None:
        """Take cards from wherever they lie; piles may be empty for a moment."""
        for name, lying in self.everything():
            if self.rules.zones[name].kind == "set":
                lying -= set(cards)
            elif self.rules.zones[name].kind == "stack":
                lying[:] = [card for card in lying if card not in cards]
            else:
                for pile in lying:
                    pile[:] = [card for card in pile if card not in cards]

    def hand_over(self, card: int, source: list[int], to: Any) -> None:
        """One card from the top of a stack."""
        assert source.pop() == card
        if isinstance(to, set):
            to.add(card)
        else:
            to.append(card)
        self.face_down.discard(card)

    def do_draw(self, statement: Statement, env: Env) -> None:
        many, source, to = (self.value(arg, env) for arg in statement.args)
        stack = self.lies(source)
        for _ in range(many):
            if stack:
                self.hand_over(stack[-1], stack, self.lies(to))

    def do_deal(self, statement: Statement, env: Env) -> None:
        many, stack = self.value(statement.args[0], env), self.lies(self.value(statement.args[1], env))
        players = self.elements(statement.args[2], env)
        for _ in range(many):
            for player in players:
                if stack:
                    self.hand_over(stack[-1], stack, self.zones[str(statement.data)][player])

    def do_shuffle(self, statement: Statement, env: Env) -> None:
        stack = self.lies(self.value(statement.args[0], env))
        if self.given:
            self.given = False
            return
        for i in range(len(stack) - 1, 0, -1):
            j = self.chance(i + 1)
            stack[i], stack[j] = stack[j], stack[i]

    def do_show(self, statement: Statement, env: Env) -> None:
        cards = self.value(statement.args[0], env)
        if len(statement.args) == 1:
            self.face_down -= cards

    def do_show_none(self, statement: Statement, env: Env) -> None:
        what, where = statement.args
        there = self.value(where, env)
        if self.value(what, env) & (there if where.op == "all" else set(self.cards_of(there, where.type))):
            raise Fault("one of them is there")

    def do_do(self, statement: Statement, env: Env) -> None:
        procedure = self.rules.procedures[str(statement.data)]
        values = [self.value(arg, env) for arg in statement.args]
        self.carry_out(procedure.body, {local: value for (_, local, _), value in zip(procedure.parameters, values, strict=True)})

    def do_go(self, statement: Statement, env: Env) -> None:
        raise Go(str(statement.data))

    def do_stay(self, statement: Statement, env: Env) -> None:
        raise Go(self.phase)

    def do_end(self, statement: Statement, env: Env) -> None:
        raise Go(None)

    def do_again(self, statement: Statement, env: Env) -> None:
        raise Again

    def do_if(self, statement: Statement, env: Env) -> None:
        for condition, block in zip(statement.args, statement.blocks, strict=False):
            if self.value(condition, env):
                self.carry_out(block, dict(env))
                return
        if len(statement.blocks) > len(statement.args):
            self.carry_out(statement.blocks[-1], dict(env))

    def do_each(self, statement: Statement, env: Env) -> None:
        assert isinstance(statement.data, int)
        domain, where = statement.args
        chosen = [element for element in self.elements(domain, env) if self.value(where, {**env, statement.data: element})]
        for element in chosen:  # settled before the first round
            self.carry_out(statement.blocks[0], {**env, statement.data: element})

    def do_repeat(self, statement: Statement, env: Env) -> None:
        for _ in range(self.value(statement.args[0], env)):
            self.carry_out(statement.blocks[0], dict(env))

    # ---- expressions ----------------------------------------------------------------------------------------------

    def rank(self, card: int) -> int:
        return card // self.rules.deck.copies // len(self.rules.deck.suits)

    def suit(self, card: int) -> int:
        return card // self.rules.deck.copies % len(self.rules.deck.suits)

    def looks(self, cards: frozenset[int]) -> frozenset[int]:
        """As many copies of each card as there are, but the first ones."""
        copies = self.rules.deck.copies
        kinds = [card // copies for card in sorted(cards)]
        return frozenset(kind * copies + kinds[:at].count(kind) for at, kind in enumerate(kinds))

    def elements(self, domain: Expr, env: Env) -> list[Any]:
        """The elements of a collection in order: seats as told, all else ascending."""
        value = self.value(domain, env)
        if isinstance(value, Place):
            return list(range(len(self.lies(value)))) if domain.type.kind == "row" else sorted(self.lies(value))
        return list(value) if isinstance(value, tuple) else sorted(value)

    def chosen(self, expr: Expr, env: Env) -> Iterator[tuple[Any, Env]]:
        """The elements of a binder's domain that satisfy its `where`, each with the names inside."""
        assert isinstance(expr.data, int)
        for element in self.elements(expr.args[0], env):
            inside = {**env, expr.data: element}
            if self.value(expr.args[1], inside):
                yield element, inside

    def in_game(self) -> frozenset[int]:
        """Every card of the grid that the options leave in the game."""
        deck = self.rules.deck
        cards = range(deck.grid * deck.copies)
        return frozenset(card for card in cards if deck.only is None or self.value(deck.only, {deck.only_local: card}))

    def value(self, expr: Expr, env: Env) -> Any:
        """The value of an expression."""
        op, args, data = expr.op, expr.args, expr.data
        short: Any = {
            "and": lambda: all(self.value(arg, env) for arg in args),
            "or": lambda: any(self.value(arg, env) for arg in args),
            "if": lambda: self.value(args[1] if self.value(args[0], env) else args[2], env),
            "either": lambda: next((x for arg in args if (x := self.value(arg, env)) is not None), None),
            "let": lambda: self.value(args[1], {**env, data: self.value(args[0], env)}),
            "any": lambda: any(self.value(args[2], inside) for _, inside in self.chosen(expr, env)),
            "every": lambda: all(self.value(args[2], inside) for _, inside in self.chosen(expr, env)),
            "first": lambda: next((x for x, _ in self.chosen(expr, env)), None),
            "last": lambda: next((x for x, _ in reversed(list(self.chosen(expr, env)))), None),
            "least": lambda: self.extreme(expr, env, min),
            "most": lambda: self.extreme(expr, env, max),
            "filter": lambda: frozenset(x for x, _ in self.chosen(expr, env)),
            "map": lambda: frozenset(self.value(args[2], inside) for _, inside in self.chosen(expr, env)),
            "sum": lambda: sum(self.value(args[2], inside) for _, inside in self.chosen(expr, env)),
            "makes": lambda: self.makes([self.value(args[2], inside) for _, inside in self.chosen(expr, env)], self.value(args[3], env)),
        }.get(op)
        if short is not None:
            return short()
        return getattr(self, "of_" + NAMES.get(op, op.replace(" ", "_")))(expr, [self.value(arg, env) for arg in args], env)

    def extreme(self, expr: Expr, env: Env, best: Any) -> Any:
        keyed = [(self.value(expr.args[2], inside), x) for x, inside in self.chosen(expr, env)]
        keyed = [pair for pair in keyed if pair[0] is not None]
        return best(keyed, key=lambda pair: pair[0])[1] if keyed else None  # of equals, min and max take the first

    def makes(self, values: list[int], total: int) -> bool:
        """Whether some of these values, one or more, add up to a total."""
        sums: set[int] = set()
        for value in values:
            sums |= {value} | {made + value for made in sums}
        return total in sums

    def of_const(self, expr: Expr, args: list[Any], env: Env) -> Any:
        return plain(expr.type, expr.data)  # type: ignore[arg-type]

    def of_option(self, expr: Expr, args: list[Any], env: Env) -> Any:
        return self.options[str(expr.data)]

    def of_local(self, expr: Expr, args: list[Any], env: Env) -> Any:
        return env[expr.data]  # type: ignore[index]

    def of_read(self, expr: Expr, args: list[Any], env: Env) -> Any:
        value = self.variables[str(expr.data)]
        return value[args[0]] if args else value

    def of_zone(self, expr: Expr, args: list[Any], env: Env) -> Any:
        return Place(str(expr.data), args[0] if args else None)

    def of_call(self, expr: Expr, args: list[Any], env: Env) -> Any:
        define = self.rules.defines[str(expr.data)]
        return self.value(define.body, {local: value for (_, local, _), value in zip(define.parameters, args, strict=True)})

    def of_size(self, expr: Expr, args: list[Any], env: Env) -> Any:
        return len(self.cards_of(args[0], expr.args[0].type))

    def of_count(self, expr: Expr, args: list[Any], env: Env) -> Any:
        return len(self.lies(args[0]) if isinstance(args[0], Place) else args[0])

    def tower(self, expr: Expr, args: list[Any]) -> list[int]:
        return self.cards_of(args[0], expr.args[0].type)

    def of_top(self, expr: Expr, args: list[Any], env: Env) -> Any:
        cards = self.tower(expr, args)
        return cards[-1] if cards else None

    def of_bottom(self, expr: Expr, args: list[Any], env: Env) -> Any:
        cards = self.tower(expr, args)
        return cards[0] if cards else None

    def of_under(self, expr: Expr, args: list[Any], env: Env) -> Any:
        cards = self.tower(expr, args)
        return cards[-2] if len(cards) > 1 else None

    def of_cards(self, expr: Expr, args: list[Any], env: Env) -> Any:
        return frozenset(self.cards_of(args[0], expr.args[0].type))

    def of_known(self, expr: Expr, args: list[Any], env: Env) -> Any:
        return frozenset(self.cards_of(args[0], expr.args[0].type)) - self.face_down

    def of_all(self, expr: Expr, args: list[Any], env: Env) -> Any:
        zone = self.rules.zones[str(expr.data)]
        kind = Type(zone.kind, zone=zone.name)
        return frozenset(card for seat in range(self.seats) for card in self.cards_of(Place(zone.name, seat), kind))

    def of_holder(self, expr: Expr, args: list[Any], env: Env) -> Any:
        for zone in self.rules.zones.values():
            for seat in range(self.seats) if zone.each else ():
                if args[0] in self.cards_of(Place(zone.name, seat), Type(zone.kind, zone=zone.name)):
                    return seat
        return None

    def of_random(self, expr: Expr, args: list[Any], env: Env) -> Any:
        things = sorted(args[0])
        chosen = self.chance(len(things))
        return things[chosen] if things else None

    def of_from(self, expr: Expr, args: list[Any], env: Env) -> Any:
        return tuple((args[0] + k) % self.seats for k in range(self.seats))

    def of_after(self, expr: Expr, args: list[Any], env: Env) -> Any:
        return tuple((args[0] + k) % self.seats for k in range(1, self.seats))

    def of_pips(self, expr: Expr, args: list[Any], env: Env) -> Any:
        text = self.rules.deck.ranks[args[0]]
        return int(text) if text.isdigit() else 0


# The operations that are no Python names.
NAMES = {
    "==": "eq",
    "!=": "ne",
    "<": "lt",
    "<=": "le",
    ">": "gt",
    ">=": "ge",
    "+": "plus",
    "-": "less",
    "*": "times",
    "in": "member",
    "not": "no",
}

# The operations that say nothing more than this.
SIMPLE: dict[str, Callable[..., Any]] = {
    "no": lambda self, x: not x,
    "is_none": lambda self, x: x is None,
    "eq": lambda self, x, y: x == y,
    "ne": lambda self, x, y: x != y,
    "lt": lambda self, x, y: x < y,
    "le": lambda self, x, y: x <= y,
    "gt": lambda self, x, y: x > y,
    "ge": lambda self, x, y: x >= y,
    "member": lambda self, x, y: x in (self.lies(y) if isinstance(y, Place) else y),
    "plus": lambda self, x, y: x + y,
    "less": lambda self, x, y: x - y,
    "times": lambda self, x, y: x * y,
    "negative": lambda self, x: -x,
    "min": lambda self, x, y: min(x, y),
    "max": lambda self, x, y: max(x, y),
    "odd": lambda self, x: x % 2 == 1,
    "even": lambda self, x: x % 2 == 0,
    "union": lambda self, x, y: frozenset(x) | frozenset(y),
    "minus": lambda self, x, y: frozenset(x) - frozenset(y),
    "rank": lambda self, x: self.rank(x),
    "suit": lambda self, x: self.suit(x),
    "team": lambda self, x: x % self.rules.teams,
    "deck": lambda self: self.in_game(),
    "ranks_of": lambda self, x: frozenset(map(self.rank, x)),
    "suits_of": lambda self, x: frozenset(map(self.suit, x)),
    "looks": lambda self, x: self.looks(x),
    "lowest": lambda self, x: min(x, default=None),
    "highest": lambda self, x: max(x, default=None),
    "left": lambda self, x: (x + 1) % self.seats,
    "right": lambda self, x: (x - 1) % self.seats,
    "everyone": lambda self: tuple(range(self.seats)),
    "between": lambda self, x, y: tuple(range(x, y + 1)),
    "every_suit": lambda self: frozenset(range(len(self.rules.deck.suits))),
    "every_rank": lambda self: frozenset(range(len(self.rules.deck.ranks))),
    "every_team": lambda self: frozenset(range(self.rules.teams)),
}

for _name, _meaning in SIMPLE.items():
    setattr(Referee, "of_" + _name, lambda self, expr, args, env, _meaning=_meaning: _meaning(self, *args))

"""What a rule file declares: players, deck, options, zones, variables, signatures."""

from __future__ import annotations

import re
from collections.abc import Iterator

from durak_dsl.language.clauses import map_of, text_of
from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Deck, Expr, Option, Variable, Zone
from durak_dsl.language.names import Names
from durak_dsl.language.scope import Scope
from durak_dsl.language.statements import start_value
from durak_dsl.language.syntax import Syntax, keywords, parse, phrase
from durak_dsl.language.types import CARD, MOST_CARDS, MOST_SEATS, NAMED, SET_OF, Type, number
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Span, did_you_mean, listed
from durak_dsl.source.nodes import Map, Node, Text

KINDS = {"set": "set", "stack": "stack", "piles": "row"}
SETS = ("cards", "ranks", "suits", "players")
PASSED_ON = 10**6  # numbers that are passed on to definitions and procedures
CHOICE = r"[a-z0-9][a-z0-9_]*(-[a-z0-9_]+)*|[0-9A-Z][A-Za-z0-9]*"

Parameter = tuple[str, Type, Span]


def required(node: Map, key: str, span: Span | None = None) -> Node:
    """What stands under a key; `Wrong` where nothing does."""
    part = node.get(key)
    if part is None:
        raise wrong("missing", f"'{key}' is missing", span or node.span)
    return part


def entries(node: Node | None, names: Names, what: str) -> list[tuple[str, Node, Text]]:
    """The entries of a mapping (none where it is absent); what is no mapping is reported."""
    if node is None:
        return []
    with names.reporting():
        return [(entry.key.value, entry.value, entry.key) for entry in map_of(node, what)]
    return []


# ---- players, deck ------------------------------------------------------------------------------------------------


def counts(text: Text) -> tuple[int, ...]:
    """The numbers of players that `2 to 6`, `4 or 6` or `2` allow."""
    if match := re.fullmatch(r"([0-9]) to ([0-9])", text.value):
        found = tuple(range(int(match[1]), int(match[2]) + 1))
    elif re.fullmatch(r"[0-9]( or [0-9])*", text.value):
        found = tuple(sorted({int(part) for part in text.value.split(" or ")}))
    else:
        raise wrong("type", f"'{text.value}' does not say how many play", text.span, "write 2 to 6, 4 or 6, or 2")
    if not found:
        raise wrong("bounds", f"'{text.value}' allows no number of players", text.span, "the smaller number comes first")
    if found[0] < 1 or found[-1] > MOST_SEATS:
        raise wrong("bounds", f"'{text.value}' is not within 1 to {MOST_SEATS} players", text.span)
    return found


def players(node: Map, names: Names) -> None:
    """Fill in the numbers of players and the teams."""
    names.counts = counts(text_of(required(node, "count"), "'count'"))
    names.surely = min(names.counts)
    teams = node.get("teams")
    if teams is None:
        return
    text = text_of(teams, "'teams'")
    match = re.fullmatch(r"([2-4]) alternating", text.value)
    if match is None:
        raise wrong("type", f"'{text.value}' does not say which teams there are", text.span, "write 2 alternating")
    names.teams = int(match[1])
    uneven = [count for count in names.counts if count % names.teams]
    if uneven:
        raise wrong("bounds", f"{uneven[0]} players do not make {names.teams} equal teams", text.span)


def deck(node: Map, names: Names) -> None:
    """Fill in the cards of the grid."""
    ranks = text_of(required(node, "ranks"), "'ranks'")
    suits = text_of(required(node, "suits"), "'suits'")
    broken = len(names.problems)
    for check, text in ((_ranks, ranks), (_suits, suits)):
        with names.reporting():
            check(text)
    if len(names.problems) > broken:
        raise Wrong
    copies = text_of(node.get("copies") or Text("1", node.span), "'copies'")
    start = node.get("start in")
    if not re.fullmatch("[1-9][0-9]{0,2}", copies.value):
        raise wrong("bounds", f"'{copies.value}' is no number of copies", copies.span, f"at least 1; at most {MOST_CARDS} cards in all")
    found = Deck(
        tuple(ranks.value.split()),
        tuple(suits.value.split()),
        int(copies.value),
        None,
        -1,
        text_of(start, "'start in'").value if start else "",
    )
    if (cards := found.grid * found.copies) > MOST_CARDS:
        raise wrong(
            "bounds", f"this deck has {cards} cards; at most {MOST_CARDS} are played with", (copies if found.copies > 1 else ranks).span
        )
    names.deck = found


def _words(text: Text) -> Iterator[tuple[str, Span]]:
    for match in re.finditer(r"\S+", text.value):
        yield match.group(), text.at(match.start(), len(match.group()))


def _ranks(text: Text) -> None:
    seen = set()
    for word, span in _words(text):
        if not re.fullmatch("[2-9]|10|[A-Z]", word):
            raise wrong("type", f"'{word}' is no rank", span, "ranks are 2 to 10 and capital letters")
        if word in seen:
            raise wrong("name-taken", f"rank {word} stands twice", span)
        seen.add(word)


def _suits(text: Text) -> None:
    seen: dict[str, str] = {}
    for word, span in _words(text):
        if not re.fullmatch("[a-z]+", word):
            raise wrong("type", f"'{word}' is no suit", span, "suits are words in small letters, as in spades")
        if word in keywords():
            raise wrong("name-taken", f"'{word}' is a word of the language and cannot name a suit", span)
        if word[0] in seen:
            other = seen[word[0]]
            message = f"suit '{word}' stands twice" if word == other else f"suits '{other}' and '{word}' begin with the same letter"
            raise wrong("name-taken", message, span, "" if word == other else "cards are written with the first letter of their suit")
        seen[word[0]] = word


def which_cards(node: Map, names: Names, expressions: Expressions) -> None:
    """Fill in which cards of the grid are in the game, and where they start."""
    start = node.get("start in")
    span = start.span if start else node.span
    name = names.deck.start
    zone = names.zones.get(name)
    if zone is None or zone.kind != "stack" or zone.each:
        stacks = [zone.name for zone in names.zones.values() if zone.kind == "stack" and not zone.each]
        if zone is None:
            raise names.unknown("unknown zone", name, span, stacks)
        what = f"each player has his own '{name}'" if zone.each else f"'{name}' is {Type(zone.kind).a}"
        raise wrong("type", f"the deck starts in a stack of the table; {what}", span)
    names.use("zone", zone.name)
    only = node.get("only")
    if only is None:
        return
    local = names.new_local("card")
    scope = Scope({"card": Expr("local", CARD, data=local)})
    condition = expressions.condition(expressions.parse(text_of(only, "'only'")), scope)
    for inner in condition.walk():
        if inner.op in ("read", "zone", "all", "call", "everyone", "from", "after", "holder"):
            raise wrong("type", "which cards are in the game may depend on options only", inner.at or only.span)
    names.deck = Deck(names.deck.ranks, names.deck.suits, names.deck.copies, condition, local, names.deck.start)


# ---- options, zones, variables ------------------------------------------------------------------------------------


def option(name: str, node: Map, span: Span) -> Option:
    """One option."""
    choose, bounds, default = node.get("choose"), node.get("range"), text_of(required(node, "default", span), "'default'")
    texts = {language: text_of(part, language).value for language in ("en", "ru") if (part := node.get(language))}
    if choose is not None:
        words = _choices(text_of(choose, "'choose'"))
        if default.value not in words:
            hint = did_you_mean(default.value, words)
            raise wrong("bounds", f"the default '{default.value}' is not among the choices {listed(words, 'and')}", default.span, hint)
        return Option(name, words, 0, len(words) - 1, words.index(default.value), texts, span)
    if bounds is None:
        raise wrong("missing", f"option '{name}' has neither 'choose' nor 'range'", span)
    match = re.fullmatch(r"([0-9]{1,9}) to ([0-9]{1,9})", text_of(bounds, "'range'").value)
    if match is None:
        raise wrong("type", f"'{text_of(bounds, '').value}' is no range", bounds.span, "write LOW to HIGH, as in 1 to 20")
    low, high = int(match[1]), int(match[2])
    if low > high:
        raise wrong("bounds", f"{low} to {high} holds no number", bounds.span, "the smaller number comes first")
    if not re.fullmatch(r"[0-9]{1,9}", default.value) or not low <= int(default.value) <= high:
        raise wrong("bounds", f"the default {default.value} is not within {low} to {high}", default.span)
    return Option(name, (), low, high, int(default.value), texts, span)


def _choices(text: Text) -> tuple[str, ...]:
    found: list[str] = []
    for word, span in _words(text):
        if word == "none":
            message = "a choice cannot be called none: 'is none' asks whether there is a value"
            raise wrong("name-taken", message, span, "call it never or nobody")
        if word == "not" or not re.fullmatch(CHOICE, word):
            hint = "choices are words in small letters, joined by hyphens, or numbers"
            raise wrong("name", f"'{word}' cannot be asked for with 'is'", span, hint)
        if word in found:
            raise wrong("name-taken", f"choice '{word}' stands twice", span)
        found.append(word)
    return tuple(found)


def zone(name: str, node: Map, names: Names, span: Span) -> Zone:
    """One zone."""
    kinds = [(kind, part) for kind in KINDS if (part := node.get(kind)) is not None]
    if len(kinds) != 1:
        hint = f"for instance {name}: {{set: each, seen by: owner}}"
        raise wrong("type", f"zone '{name}' is exactly one of set, stack and piles", span, hint)
    kind, scale = kinds[0][0], text_of(kinds[0][1], "whose a zone is")
    seen = text_of(required(node, "seen by", span), "'seen by'")
    if scale.value not in ("one", "each"):
        raise wrong("type", f"'{scale.value}' is neither one (for the table) nor each (player)", scale.span)
    if kind == "piles" and scale.value == "each":
        raise wrong("type", "a row of piles belongs to the table, not to each player", scale.span, "give each player a stack or a set")
    if seen.value == "owner" and scale.value != "each":
        raise wrong("type", f"zone '{name}' of the table has no owner", seen.span, "seen by all or nobody")
    most = _bound(node, "most", names, "a set holds any number of cards; only stacks and piles are bounded" if kind == "set" else "")
    high = _bound(node, "high", names, "only piles have a height" if kind != "piles" else "")
    return Zone(name, KINDS[kind], scale.value == "each", seen.value, most, high, span)


def _bound(node: Map, key: str, names: Names, against: str) -> int:
    part = node.get(key)
    if part is None:
        return names.cards
    text = text_of(part, f"'{key}'")
    if against:
        raise wrong("type", f"'{key}' has no meaning here: {against}", text.span)
    if not re.fullmatch("[1-9][0-9]{0,8}", text.value):
        raise wrong("bounds", f"'{text.value}' is no bound: at least 1 must fit in", text.span)
    return min(int(text.value), names.cards)


def variable(name: str, text: Text, names: Names, expressions: Expressions, span: Span) -> Variable:
    """One variable."""
    syntax = expressions.parse(text, "declaration")
    kind = type_of(syntax[1], names)
    if syntax.optional(2):
        kind = kind.or_none
    start = None
    if (value := syntax.optional(3)) is not None:
        start = expressions.fitted(value, Scope(), kind)
        if start.op == "negative" and isinstance(written := start.args[0].data, int):
            start = Expr("const", start.type, data=-written, at=value.span)
        if start.op != "const":
            raise wrong("type", "a variable starts with a value written out", value.span, "work it out in 'setup'")
    return Variable(name, kind, syntax.optional(0) is not None, start_value(start, kind), span)


def kept(name: str, text: Text, names: Names, expressions: Expressions, span: Span) -> Variable:
    """One variable that lives from deal to deal."""
    syntax = expressions.parse(text, "declaration")
    if (start := syntax.optional(3)) is not None:
        raise wrong("type", "what is kept has no start of its own", start.span, "'first' says what it is in the first deal")
    kind = type_of(syntax[1], names)
    kind = kind.or_none if syntax.optional(2) else kind
    return Variable(name, kind, syntax.optional(0) is not None, start_value(None, kind), span)


def type_text(node: Node) -> Text:
    """What a variable is: the text itself, or the `is` beside its names in two languages."""
    return text_of(required(node, "is"), "'is'") if isinstance(node, Map) else text_of(node, "a variable")


def type_of(syntax: Syntax, names: Names) -> Type:
    """The type that a declaration or parameter names."""
    parts = [part for part in syntax.parts if part is not None]
    if parts[0].kind == "bound":
        low, high = (int(part.text.replace(" ", "")) for part in parts)
        if low > high:
            raise wrong("bounds", f"{low} to {high} holds no number", syntax.span, "the smaller number comes first")
        return number(low, high)
    if parts[0].kind == "set_of":
        many = parts[0][0].text
        if many not in SETS:
            hint = "" if many in SET_OF.values() else did_you_mean(many, SETS)
            hint = hint or f"there are sets of {listed(SETS, 'and')}"
            raise wrong("type", f"there is no set of {many}", syntax.span, hint)
        return Type(many)
    word = parts[0].text
    if word == "team" and not names.teams:
        raise wrong("type", "there are no teams", syntax.span, "write 'teams: 2 alternating' under 'players'")
    if word in NAMED:
        return NAMED[word]
    if word == "pile":
        rows = [zone.name for zone in names.zones.values() if zone.kind == "row"]
        if not rows and names.broken:
            raise Wrong
        if len(rows) != 1:
            found = f"there are {len(rows)}: {listed(rows, 'and')}" if rows else "there is none"
            raise wrong("type", f"'pile' means a pile of the one row of piles, but {found}", syntax.span)
        return Type("pile", zone=rows[0])
    if word == "number":
        raise wrong("bounds", "a number is declared with its bounds", syntax.span, "for instance 0 to 60")
    hint = f"write 'set of {word}'" if word in SETS else did_you_mean(word, [*NAMED, "pile", "number", *SET_OF.values()])
    raise wrong("unknown-name", f"'{word}' is no type", syntax.span, hint)


def signature(key: Text, names: Names) -> tuple[str, tuple[Parameter, ...]]:
    """The name and the parameters of a definition or procedure."""
    syntax = parse(key, "signature")
    found: list[Parameter] = []
    for part in syntax.parts[1:]:
        if part is None:
            continue
        written = part[0]
        inner = written.optional(0)
        kind = number(-PASSED_ON, PASSED_ON) if inner is not None and inner.text == "number" else type_of(written, names)
        name = part.optional(1)
        if name is None and (kind.kind == "yes/no" or kind.kind in SETS):
            raise wrong("type", f"a parameter that is {kind.a} needs a name", part.span, f"for instance {written.text} x")
        label, span = (name.text, name.span) if name is not None else (written.text, written.span)
        if label in {other for other, _, _ in found}:
            raise wrong("name-taken", f"two parameters are called '{label}'", span, f"give them names: {written.text} other")
        found.append((label, kind, span))
    return phrase(syntax[0]), tuple(found)

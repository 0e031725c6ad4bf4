"""What a rule file declares: players, deck, options, zones, variables, signatures."""

from __future__ import annotations

import re

from durak_dsl.language.clauses import map_of, text_of
from durak_dsl.language.expressions import Expressions
from durak_dsl.language.ir import Deck, Expr, Option, Variable, Zone
from durak_dsl.language.scope import Names, Scope
from durak_dsl.language.statements import start_value
from durak_dsl.language.syntax import Syntax, parse, phrase
from durak_dsl.language.types import MOST_CARDS, MOST_SEATS, NAMED, SET_OF, Type, number
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Span, did_you_mean, listed
from durak_dsl.source.nodes import Map, Node, Text

KINDS = {"set": "set", "stack": "stack", "piles": "row"}


def counts(text: Text) -> tuple[int, ...]:
    """The numbers of players that `2 to 6`, `4 or 6` or `2` allow."""
    if match := re.fullmatch(r"([0-9]) to ([0-9])", text.value):
        found = tuple(range(int(match[1]), int(match[2]) + 1))
    elif re.fullmatch(r"[0-9]( or [0-9])*", text.value):
        found = tuple(sorted({int(part) for part in text.value.split(" or ")}))
    else:
        raise wrong("type", f"'{text.value}' is no number of players", text.span, "write 2 to 6, 4 or 6, or 2")
    if not found or found[0] < 1 or found[-1] > MOST_SEATS:
        raise wrong("bounds", f"'{text.value}' is not within 1 to {MOST_SEATS} players", text.span)
    return found


def players(node: Map, names: Names) -> None:
    """Fill in the numbers of players and the teams."""
    names.counts = counts(text_of(_required(node, "count"), "'count'"))
    teams = node.get("teams")
    if teams is None:
        return
    text = text_of(teams, "'teams'")
    match = re.fullmatch(r"([2-4]) alternating", text.value)
    if match is None:
        raise wrong("type", f"'{text.value}' says no teams", text.span, "write 2 alternating")
    names.teams = int(match[1])
    uneven = [count for count in names.counts if count % names.teams]
    if uneven:
        raise wrong("bounds", f"{uneven[0]} players do not make {names.teams} equal teams", text.span)


def deck(node: Map, names: Names) -> None:
    """Fill in the cards of the grid."""
    ranks = text_of(_required(node, "ranks"), "'ranks'")
    suits = text_of(_required(node, "suits"), "'suits'")
    for text, pattern, what in ((ranks, r"[0-9]|10|[A-Z]", "rank"), (suits, r"[a-z]+", "suit")):
        seen: set[str] = set()
        for match in re.finditer(r"\S+", text.value):
            word = match.group()
            if not re.fullmatch(pattern, word):
                raise wrong(
                    "type",
                    f"'{word}' is no {what}",
                    text.at(match.start(), len(word)),
                    "ranks are 2 to 10 and capital letters, suits are words",
                )
            if word in seen or (what == "suit" and word[0] in {other[0] for other in seen}):
                raise wrong("name-taken", f"{what} '{word}' comes twice, or begins like another", text.at(match.start(), len(word)))
            seen.add(word)
    copies = node.get("copies")
    start = node.get("start in")
    names.deck = Deck(
        tuple(ranks.value.split()),
        tuple(suits.value.split()),
        int(text_of(copies, "'copies'").value) if copies else 1,
        None,
        -1,
        text_of(start, "'start in'").value if start else "",
    )
    if names.cards > MOST_CARDS:
        raise wrong("bounds", f"this deck has {names.cards} cards; at most {MOST_CARDS} are played with", ranks.span)


def which_cards(node: Map, names: Names, expressions: Expressions) -> None:
    """Fill in which cards of the grid are in the game, and where they start."""
    start = node.get("start in")
    span = start.span if start else node.span
    zone = names.zones.get(names.deck.start)
    if zone is None or zone.kind != "stack" or zone.each:
        stacks = [zone.name for zone in names.zones.values() if zone.kind == "stack" and not zone.each]
        raise wrong(
            "unknown-name",
            f"the deck starts in a stack of the table; '{names.deck.start}' is none",
            span,
            did_you_mean(names.deck.start, stacks),
        )
    names.use("zone", zone.name)
    only = node.get("only")
    if only is None:
        return
    local = names.new_local("card")
    scope = Scope({"card": Expr("local", Type("card"), data=local)})
    condition = expressions.condition(parse(text_of(only, "'only'"), "expression"), scope)
    for inner in condition.walk():
        if inner.op in ("read", "zone", "all", "call", "everyone", "from", "after"):
            raise wrong("type", "which cards are in the game may depend on the options only", inner.at or only.span)
    names.deck = Deck(names.deck.ranks, names.deck.suits, names.deck.copies, condition, local, names.deck.start)


def option(name: str, node: Map, span: Span) -> Option:
    """One option."""
    choose, bounds, default = node.get("choose"), node.get("range"), text_of(_required(node, "default"), "'default'")
    texts = {language: text_of(part, language).value for language in ("en", "ru") if (part := node.get(language))}
    if choose is not None:
        words = tuple(text_of(choose, "'choose'").value.split())
        if "none" in words:
            raise wrong(
                "type", "a choice cannot be called none: 'is none' asks whether there is a value", choose.span, "call it never or nobody"
            )
        if default.value not in words:
            raise wrong(
                "bounds", f"the default '{default.value}' is not among {listed(words)}", default.span, did_you_mean(default.value, words)
            )
        return Option(name, words, 0, len(words) - 1, words.index(default.value), texts, span)
    if bounds is None:
        raise wrong("type", f"option '{name}' has neither 'choose' nor 'range'", span)
    match = re.fullmatch(r"([0-9]{1,9}) to ([0-9]{1,9})", text_of(bounds, "'range'").value)
    if match is None or int(match[1]) > int(match[2]):
        raise wrong("type", "a range is written LOW to HIGH", bounds.span, "for instance 1 to 20")
    low, high = int(match[1]), int(match[2])
    if not re.fullmatch(r"[0-9]{1,9}", default.value) or not low <= int(default.value) <= high:
        raise wrong("bounds", f"the default '{default.value}' is not within {low} to {high}", default.span)
    return Option(name, (), low, high, int(default.value), texts, span)


def zone(name: str, node: Map, names: Names, span: Span) -> Zone:
    """One zone."""
    kinds = [(kind, part) for kind in KINDS if (part := node.get(kind)) is not None]
    if len(kinds) != 1:
        raise wrong("type", f"zone '{name}' is one of set, stack, piles", span, f"for instance {name}: {{set: each, seen by: owner}}")
    kind, scale = kinds[0][0], text_of(kinds[0][1], "the scale")
    seen = text_of(_required(node, "seen by"), "'seen by'")
    if scale.value not in ("one", "each"):
        raise wrong("type", f"'{scale.value}' is neither one (for the table) nor each (player)", scale.span)
    if seen.value == "owner" and scale.value != "each":
        raise wrong("type", f"zone '{name}' of the table has no owner", seen.span, "seen by all or nobody")
    most, high = (int(text_of(part, key).value) if (part := node.get(key)) else names.cards for key in ("most", "high"))
    return Zone(name, KINDS[kind], scale.value == "each", seen.value, min(most, names.cards), min(high, names.cards), span)


def variable(name: str, text: Text, names: Names, expressions: Expressions, span: Span) -> Variable:
    """One variable."""
    syntax = parse(text, "declaration")
    kind = type_of(syntax[1], names)
    if syntax.optional(2):
        kind = kind.or_none
    start = None
    if (value := syntax.optional(3)) is not None:
        start = expressions.fitted(value, Scope(), kind)
        if start.op != "const":
            raise wrong("type", "a variable starts with a value written out", value.span, "work it out in setup")
    return Variable(name, kind, syntax.optional(0) is not None, start_value(start, kind, names.cards), span)


def type_text(node: Node) -> Text:
    """What a variable is: the text itself, or the `is` beside its names in two languages."""
    return text_of(_required(node, "is"), "'is'") if isinstance(node, Map) else text_of(node, "a variable")


def type_of(syntax: Syntax, names: Names) -> Type:
    """The type that a declaration or parameter names."""
    parts = [part for part in syntax.parts if part is not None]
    if parts[0].kind == "number":
        low, high = int(parts[0].text), int(parts[1].text)
        if low > high:
            raise wrong("bounds", f"{low} to {high} holds no number", syntax.span)
        return number(low, high)
    if parts[0].kind == "set_of":
        many = parts[0][0].text
        if many not in SET_OF.values():
            raise wrong("type", f"there is no set of {many}", syntax.span, did_you_mean(many, SET_OF.values()))
        return Type(many)
    word = parts[0].text
    if word in NAMED and (word != "team" or names.teams):
        return NAMED[word]
    if word == "pile":
        rows = [zone.name for zone in names.zones.values() if zone.kind == "row"]
        if len(rows) != 1:
            raise wrong("type", "'pile' needs exactly one row of piles in the file", syntax.span)
        return Type("pile", zone=rows[0])
    if word == "number":
        raise wrong("bounds", "a number is declared with its bounds", syntax.span, "for instance 0 to 60")
    raise wrong("unknown-name", f"'{word}' is no type", syntax.span, did_you_mean(word, [*NAMED, "pile", "number"]))


def signature(key: Text, names: Names) -> tuple[str, tuple[tuple[str, Type], ...]]:
    """The name and the parameters of a definition or procedure."""
    syntax = parse(key, "signature")
    parameters: list[tuple[str, Type]] = []
    for part in syntax.parts[1:]:
        if part is None:
            continue
        type_name = part[0]
        inner = type_name.optional(0)
        if inner is not None and inner.text == "number":
            kind = number(-(10**6), 10**6)
        else:
            kind = type_of(type_name, names)
        name = part.optional(1)
        label = name.text if name is not None else type_name.text
        if label in dict(parameters):
            raise wrong("name-taken", f"parameter '{label}' comes twice", part.span)
        parameters.append((label, kind))
    return phrase(syntax[0]), tuple(parameters)


def each_entry(node: Node | None, names: Names, what: str) -> list[tuple[str, Node, Text]]:
    """The entries of a mapping (none where it is absent); what is no mapping is reported."""
    if node is None:
        return []
    try:
        return [(entry.key.value, entry.value, entry.key) for entry in map_of(node, what)]
    except Wrong as error:
        names.report(error)
        return []


def _required(node: Map, key: str) -> Node:
    part = node.get(key)
    if part is None:
        raise wrong("missing", f"'{key}' is missing", node.span)
    return part

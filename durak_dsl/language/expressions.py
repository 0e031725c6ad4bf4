"""Syntax of one expression -> typed expression: `Expressions` at the end of the chain fitting, literals, operators, collecting."""

from __future__ import annotations

from dataclasses import replace

from durak_dsl.language.collecting import Collecting
from durak_dsl.language.fitting import TEST_FIRST, nothing
from durak_dsl.language.ir import Expr
from durak_dsl.language.names import Parameters
from durak_dsl.language.scope import Scope
from durak_dsl.language.syntax import Syntax
from durak_dsl.language.types import CARD, CARDS, ELEMENT_OF, ZONE_KINDS, Type, number
from durak_dsl.language.words import WORDS, Word
from durak_dsl.language.wrong import Wrong, wrong
from durak_dsl.problems import Span

# The collections that always have an element.
NEVER_EMPTY = ("everyone", "from", "every suit", "every rank", "every team")
_KINDS = {"heap": (*ZONE_KINDS, "pile"), "tower": ("stack", "pile"), "zone": ZONE_KINDS, "number": ("number",), "set": (*ELEMENT_OF, "row")}
_WANTED = {"heap": "a zone or pile", "tower": "a stack or pile", "zone": "a zone", "set": "a set", "number": "a number"}


class Expressions(Collecting):
    """Types the expressions of one rule file, calls among them."""

    def _call(self, syntax: Syntax, scope: Scope) -> Expr:
        head = syntax[0]
        given = [part for part in syntax.parts[1:] if part is not None]
        if head.text in self.names.broken:
            raise Wrong
        parameters = self.names.signatures.get(head.text)
        if parameters is not None:
            if not parameters:
                raise wrong("arity", f"'{head.text}' takes nothing in brackets", syntax.span, f"write {head.text}")
            inside = replace(scope, chance=False)  # an argument may be read more than once
            return self.definition(head.text, self.arguments(head, parameters, given, inside, copies=True), head.span)
        word = WORDS.get(head.text)
        if word is None:
            if (meaning := self.names.kind_of(head.text)) or head.text in scope.locals:
                raise wrong("arity", f"'{head.text}' is {meaning or 'a local name'}: it takes nothing in brackets", syntax.span)
            raise self.names.unknown("unknown name", head.text, head.span, [*self.names.signatures, *WORDS])
        if len(given) != len(word.takes):
            message = f"'{word.name}' takes {len(word.takes)} in brackets, {_here(len(given))}"
            raise wrong("arity", message, syntax.span, f"as in {word.example}")
        return self._word(word, given, scope, syntax.span)

    def arguments(self, head: Syntax, parameters: Parameters, given: list[Syntax], scope: Scope, copies: bool = False) -> tuple[Expr, ...]:
        """The arguments of a definition or procedure, fitted to its parameters; `copies`: a card written out may be one of several."""
        if len(parameters) != len(given):
            wants = f" ({', '.join(name for name, _ in parameters)})" if parameters else ""
            message = f"'{head.text}' takes {len(parameters) or 'nothing'} in brackets{wants}, {_here(len(given))}"
            raise wrong("arity", message, head.span)
        typed = self.written if copies else self.typed
        return tuple(self._fitting(typed(part, scope), kind, part) for part, (_, kind) in zip(given, parameters, strict=True))

    def _fitting(self, value: Expr, kind: Type, part: Syntax) -> Expr:
        value = self.fit(value, kind, part.span)
        if kind.kind == "number" and not kind.low <= value.type.low <= value.type.high <= kind.high:
            most = max(-value.type.low, value.type.high)
            hint = "bound it, as in min(x, 100)"
            raise wrong("bounds", f"this can reach {most:,}; numbers are passed on up to {kind.high:,}", part.span, hint)
        return value

    def _word(self, word: Word, given: list[Syntax], scope: Scope, span: Span) -> Expr:
        if word.op == "sum":
            return self.total(given[0], scope)
        if word.op == "makes":
            return self.makes(given[0], given[1], scope)
        if word.op == "random" and not scope.chance:
            message = "chance is asked in statements and by what a match keeps, not inside of a collection or a definition"
            raise wrong("chance", message, span, "in a statement before: 'let x = random(…)'")
        args = [self._argument(part, code, word, scope) for part, code in zip(given, word.takes, strict=True)]
        if word.op == "cards":
            return args[0]
        kind = self._gives(word, args, given, span)
        if word.op == "either":
            kind, args[0], args[1] = self.common(args[0], args[1], span)
            kind = replace(kind, maybe=args[1].type.maybe)
        return Expr(word.op, kind, tuple(args))

    def _argument(self, syntax: Syntax, code: str, word: Word, scope: Scope) -> Expr:
        gather = {"filtered": self.filtered, "mapped": self.mapped}.get(syntax.kind, self.typed)
        value = gather(syntax, scope)
        if code == "any?":
            return value
        if code == "cards":
            return self.fit(value, CARDS, syntax.span)
        if code in ("player", "card", "rank"):
            return self.fit(value, Type(code), syntax.span)
        if code == "set" and not (value.type.kind == "row" and word.op == "count"):
            value = self.as_set(value, syntax.span)
        if value.type.kind not in _KINDS[code]:
            hint = f"as in {word.example}" if value.type.kind != "none" else ""
            raise wrong("type", f"'{word.name}' takes {_WANTED[code]}; this is {value.type.a}", syntax.span, hint)
        if value.type.maybe:
            raise wrong("none", f"this may be none; '{word.name}' takes {value.type.sure.a}", syntax.span, TEST_FIRST)
        return value

    def _gives(self, word: Word, args: list[Expr], given: list[Syntax], span: Span) -> Type:
        first = args[0].type
        if word.op in ("min", "max"):
            pick = min if word.op == "min" else max
            return number(pick(a.type.low for a in args), pick(a.type.high for a in args))
        if word.op == "pips":
            return number(0, max((int(rank) for rank in self.names.deck.ranks if rank.isdigit()), default=0))
        if word.gives == "number":
            return number(0, self._most(word, args[0]))
        if word.gives in ("element", "element?"):
            if word.op in ("lowest", "highest") and first.kind not in ("cards", "ranks"):
                raise wrong("type", f"'{word.name}' takes cards or ranks; this is {first.a}", given[0].span)
            maybe = word.op != "random" or args[0].op not in NEVER_EMPTY
            return Type(ELEMENT_OF[first.kind], maybe=maybe, zone=first.zone)
        if word.op in ("top", "bottom"):
            return CARD.or_none if first.kind == "stack" else CARD
        return Type(word.gives.rstrip("?"), maybe=word.gives.endswith("?"))

    def _most(self, word: Word, value: Expr) -> int:
        """The largest number that `size` or `count` may give."""
        if word.op == "size" and value.type.kind == "pile":
            return self.names.zones[value.type.zone].high
        return self.names.cards if word.op == "size" else self.largest(value)


def _here(count: int) -> str:
    return f"here {'are' if count > 1 else 'is'} {count or 'nothing'}"


__all__ = ["Expressions", "nothing"]

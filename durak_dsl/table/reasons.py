"""Why a move cannot be made, as a kind and its parts, so that it can be said in any language; the English words are here."""

from __future__ import annotations

from durak_dsl.problems import IllegalMove, Span, listed

LONGEST_SAID = 60

REASONS = {
    "over": "the deal is over",
    "no player": "there is no player {player} at this table",
    "turn": "it is {actor}'s turn, not {player}'s",
    "phase": "'{move}' is not played in phase '{phase}', only {moves}",
    "unfinished": "'{move}' cannot be finished from here",
    "clause": "'{clause}' does not hold of {values} here: {text}",
    "bare clause": "'{clause}' does not hold here: {text}",
    "choose": "'{pick}' is to be chosen too",
    "not chosen": "'{pick}' is not chosen here",
    "not held": "{value} is not in {player}'s {zone}",
    "not among": "{value} is not among '{text}'",
    "too many": "at most {most} may be chosen here, not {count}",
    "too few": "at least {fewest} must be chosen here",
    "two ranks": "{one} and {other} are not of one rank",
    "two suits": "{one} and {other} are not of one suit",
    "shape": "the cards must be of shape {shapes}",
    "sum": "the cards must add up to {total}, not {sum}",
    "no pile": "there is no pile in '{zone}'",
    "not shown": "no pile of '{zone}' shows {cards}",
    "twice": "{value} is named twice",
    "too often": "{value} is named too often",
    "nothing": "no move is written here",
    "no fit": "'{said}' fits no move of these rules",
    "no card": "there is no card '{said}'",
    "unknown": "there is no move '{said}'",
    "written": "'{move}' is written: {pattern}",
    "many meanings": "'{said}' may mean {meant}",
}


class Unreadable(IllegalMove):
    """A text that is the notation of no move of these rules."""


def illegal(kind: str, span: Span | None = None, /, hint: str = "", **parts: object) -> IllegalMove:
    """That a move cannot be made, for a reason of that kind."""
    return IllegalMove(_words(kind, parts, hint), span, kind, parts)


def unreadable(kind: str, /, hint: str = "", **parts: object) -> Unreadable:
    """That a text is no move, for a reason of that kind."""
    if "said" in parts:
        parts["said"] = _shown(str(parts["said"]))
    return Unreadable(_words(kind, parts, hint), None, kind, parts)


def _shown(said: str) -> str:
    """What was typed, as it can be printed: signs that cannot be seen as question marks, of a long text the beginning."""
    clean = "".join(sign if sign.isprintable() else "?" for sign in said)
    return clean if len(clean) <= LONGEST_SAID else clean[: LONGEST_SAID - 1] + "…"


def _words(kind: str, parts: dict[str, object], hint: str) -> str:
    said = {name: listed([str(one) for one in part]) if isinstance(part, tuple) else part for name, part in parts.items()}
    return REASONS[kind].format(**said) + (f"; {hint}" if hint else "")

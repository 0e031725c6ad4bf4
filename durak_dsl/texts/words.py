"""The program's own words in two languages, and numbers with their nouns."""

from __future__ import annotations

LANGUAGES = ("en", "ru")

# Forms of a noun: for 1 and others; in Russian for 1, 2 to 4, and others.
NOUNS = {
    "card": {"en": ("card", "cards"), "ru": ("карта", "карты", "карт")},
    "player": {"en": ("player", "players"), "ru": ("игрок", "игрока", "игроков")},
    "pile": {"en": ("pile", "piles"), "ru": ("стопка", "стопки", "стопок")},
}

WORDS = {
    "deal from seed": {"en": "{rules}: {players}, deal {seed}", "ru": "{rules}: {players}, сдача № {seed}"},
    "deal from deck": {"en": "{rules}: {players}", "ru": "{rules}: {players}"},
    "you": {"en": "you", "ru": "вы"},
    "your move": {"en": "{player}, your move:", "ru": "{player}, ваш ход:"},
    "only move": {"en": "(Enter makes the only move)", "ru": "(Enter — сделать единственный ход)"},
    "numbers": {"en": "the moves are numbered from 1 to {most}", "ru": "ходы пронумерованы от 1 до {most}"},
    "illegal": {"en": "This cannot be played: {reason}.", "ru": "Так ходить нельзя: {reason}."},
    "rule": {"en": "   the rule: {place}", "ru": "   правило: {place}"},
    "taken back": {"en": "Taken back: {sentence}.", "ru": "Ход взят назад: {sentence}."},
    "nothing to undo": {"en": "There is no move of yours to take back.", "ru": "Возвращать пока нечего."},
    "input ended": {
        "en": "The input has ended in the middle of the deal: it is broken off, nobody has won or lost.",
        "ru": "Ввод закончился посреди партии: она прервана, никто не выиграл и не проиграл.",
    },
    "quit": {"en": "The deal is broken off.", "ru": "Партия прервана."},
    "lost": {"en": "The deal is over. {player} has lost.", "ru": "Игра окончена. В проигрыше {player}."},
    "draw": {"en": "The deal is over: a draw.", "ru": "Игра окончена: ничья."},
    "stalemate": {"en": "The deal is over: a draw, for nothing changes any more.", "ru": "Игра окончена: ничья, игра пошла по кругу."},
    "places": {"en": "places: {places}", "ru": "места: {places}"},
    "shown": {"en": "shown to all: {cards}", "ru": "открыто всем: {cards}"},
    "shown to": {"en": "shown to {player}: {cards}", "ru": "{player} видит: {cards}"},
    "shuffled": {"en": "{zone}: shuffled", "ru": "{zone}: карты перетасованы"},
    "empty": {"en": "empty", "ru": "пусто"},
    "none": {"en": "no cards", "ru": "нет карт"},
    "known": {"en": "known: {cards}", "ru": "известно: {cards}"},
    "top": {"en": "top: {card}", "ru": "сверху {card}"},
    "bottom": {"en": "bottom: {card}", "ru": "снизу {card}"},
    "face down": {"en": "face down", "ru": "рубашкой вверх"},
    "help": {
        "en": (
            "Type the number of a move, its text (as 'beat 6C 9C'), or only its cards (6C 9C) where they fit one move.\n"
            "Cards: rank and suit, as 10H or 10♥. Enter alone: the only move, or how things stand. undo: take back your last move.\n"
            "quit: break the deal off. ?: this text."
        ),
        "ru": (
            "Введите номер хода, начало его описания или только карты (6C 9C, 6♣ 9♣), если к ним подходит один ход.\n"
            "Карты: достоинство и масть: C — трефы, D — бубны, H — червы, S — пики; 10H или 10♥. Пустая строка — единственный ход\n"
            "или что на столе. назад (undo) — взять свой ход назад; выход (quit) — прервать партию; ? — эта подсказка."
        ),
    },
}


def say(language: str, key: str, **parts: object) -> str:
    """The words of that name with their parts filled in."""
    return WORDS[key][language].format(**parts)


def amount(language: str, number: int, noun: str) -> str:
    """A number with its noun in the right form: `1 карта`, `2 карты`, `5 карт`."""
    return f"{number} {NOUNS[noun][language][form(language, number)]}"


def form(language: str, number: int) -> int:
    """Which of a noun's forms goes with a number."""
    if language == "en":
        return 0 if number == 1 else 1
    if number % 10 == 1 and number % 100 != 11:
        return 0
    return 1 if number % 10 in (2, 3, 4) and number % 100 not in (12, 13, 14) else 2

"""The program's own words in two languages, and numbers with their nouns."""

from __future__ import annotations

LANGUAGES = ("en", "ru")

# Forms of a noun: for 1 and others; in Russian for 1, 2 to 4, and others.
NOUNS = {
    "card": {"en": ("card", "cards"), "ru": ("карта", "карты", "карт")},
    "player": {"en": ("player", "players"), "ru": ("игрок", "игрока", "игроков")},
    "deal": {"en": ("deal", "deals"), "ru": ("партия", "партии", "партий")},
    "pile": {"en": ("pile", "piles"), "ru": ("стопка", "стопки", "стопок")},
}

WORDS = {
    "deal from seed": {"en": "{rules}: {players}, deal {seed}", "ru": "{rules}: {players}, расклад {seed}"},
    "deal from deck": {"en": "{rules}: {players}", "ru": "{rules}: {players}"},
    "match from seed": {"en": "{rules}: {players}, match {seed}", "ru": "{rules}: {players}, матч {seed}"},
    "deal number": {"en": "Deal {number}", "ru": "Партия {number}"},
    "you": {"en": "you", "ru": "вы"},
    "your move": {"en": "{player}, your move:", "ru": "{player}, ваш ход:"},
    "only move": {"en": "(Enter makes the only move)", "ru": "(Enter — сделать единственный ход)"},
    "more moves": {
        "en": "  and {count} more, not numbered: type the move, as in {last}",
        "ru": "  и ещё {count} без номеров: назовите сам ход, например: {last}",
    },
    "numbers": {"en": "The moves are numbered from {least} to {most}.", "ru": "Ходы пронумерованы от {least} до {most}."},
    "illegal": {"en": "This cannot be played: {reason}", "ru": "Так ходить нельзя: {reason}"},
    "rule": {"en": "   the rule: {place}", "ru": "   правило: {place}"},
    "taken back": {"en": "Taken back: {sentence}.", "ru": "Ход взят назад: {sentence}."},
    "nothing to undo": {"en": "There is no move of yours to take back.", "ru": "Брать назад пока нечего."},
    "input ended": {
        "en": "The input has ended in the middle of the deal: it is broken off, nobody has won or lost.",
        "ru": "Ввод закончился посреди партии: она прервана, никто не выиграл и не проиграл.",
    },
    "quit": {"en": "The deal is broken off.", "ru": "Партия прервана."},
    "over": {"en": "The deal is over. {sentence}.", "ru": "Игра окончена. {sentence}."},
    "lost": {"en": "{loser} has lost", "ru": "Игру проиграл {loser}"},
    "lost together": {"en": "{loser} have lost", "ru": "Игру проиграли {loser}"},
    "teams": {"en": "together: {teams}", "ru": "вместе играют: {teams}"},
    "won": {"en": "{winner} has won", "ru": "Победил {winner}"},
    "won together": {"en": "{winner} have won", "ru": "Победили {winner}"},
    "draw": {"en": "The deal is over: a draw.", "ru": "Игра окончена: ничья."},
    "stalemate": {"en": "The deal is over: a draw, for nothing changes any more.", "ru": "Игра окончена: ничья, игра пошла по кругу."},
    "match over": {"en": "The match is over after {deals}. {sentence}.", "ru": "Матч окончен, сыграно: {deals}. {sentence}."},
    "match lost": {"en": "{loser} has lost the match", "ru": "Матч проиграл {loser}"},
    "match lost together": {"en": "{loser} have lost the match", "ru": "Матч проиграли {loser}"},
    "match drawn": {"en": "Nobody has lost the match", "ru": "Матч не проиграл никто"},
    "match goes on": {"en": "{deals} played: the match is not over.", "ru": "Сыграно: {deals}, матч не окончен."},
    "deals played": {"en": "{deals} played. {sentence}.", "ru": "Сыграно: {deals}. {sentence}."},
    "only played": {"en": "{deals} played.", "ru": "Сыграно: {deals}."},
    "score": {"en": "{name}: {values}", "ru": "{name}: {values}"},
    "first place": {"en": "places: {place} {players}", "ru": "{place}-е место — {players}"},
    "place": {"en": "{place} {players}", "ru": "{place}-е — {players}"},
    "and": {"en": "{some} and {last}", "ru": "{some} и {last}"},
    "shown": {"en": "shown to all: {cards}", "ru": "показано всем: {cards}"},
    "shown to": {"en": "shown to {player}: {cards}", "ru": "{player} видит: {cards}"},
    "lies": {"en": "{card} ({place})", "ru": "{card} ({place})"},
    "held": {"en": "{card} ({place})", "ru": "{card} (у {place})"},
    "shuffled": {"en": "{zone}: shuffled", "ru": "{zone}: карты перетасованы"},
    "empty": {"en": "empty", "ru": "пусто"},
    "none": {"en": "no cards", "ru": "нет карт"},
    "one known": {"en": "known: {cards}", "ru": "из них известна {cards}"},
    "known": {"en": "known: {cards}", "ru": "из них известны {cards}"},
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
            "Введите номер хода, сам ход, как он назван в списке (можно только начало), или одни карты, если к ним подходит один ход.\n"
            "Карты: 9П, ДЧ, 10К, ТБ (В, Д, К, Т — валет, дама, король, туз; П, Ч, Б, К — пики, червы, бубны, трефы) или 9S, QH, 10♣.\n"
            "Пустая строка — единственный ход или что на столе. отмена (undo) — взять свой ход назад; выход (quit) — прервать партию;\n"
            "? — эта подсказка."
        ),
    },
}

# Why a move cannot be made; the English words are those of `durak_dsl.table.reasons`.
REASONS = {
    "over": "партия окончена",
    "no player": "игрока {player} за столом нет",
    "turn": "сейчас ходит {actor}, а не {player}",
    "phase": "сейчас можно только {moves}",
    "unfinished": "этот ход здесь не довести до конца",
    "clause": "{values} — это против правила «{clause}»",
    "bare clause": "это против правила «{clause}»",
    "choose": "нужно назвать ещё и {pick}",
    "not chosen": "{pick} здесь не называют",
    "not held": "карты {value} у вас нет",
    "not among": "{value} сюда не подходит",
    "too many": "здесь можно не больше {most}, а названо {count}",
    "too few": "не хватает карт: здесь нужно не меньше {fewest}",
    "two ranks": "{one} и {other} — разного достоинства",
    "two suits": "{one} и {other} — разной масти",
    "shape": "карты нужно брать группами одного достоинства: {shapes}",
    "sum": "карты должны давать в сумме {total}, а дают {sum}",
    "no pile": "там пусто ({zone})",
    "not shown": "карты {cards} там нет ({zone})",
    "twice": "{value} названа дважды",
    "too often": "{value} названа слишком много раз",
    "nothing": "ход не назван",
    "no fit": "карты «{said}» не подходят ни к одному ходу",
    "no card": "нет такой карты: «{said}»",
    "unknown": "нет такого хода: «{said}» (? — подсказка)",
    "written": "ход назван не полностью; пишут так: «{pattern}»",
    "many meanings": "это можно понять по-разному: {meant}",
}

# What suits and ranks are called that most decks have, by the rules' own words; others are called so in every language.
NAMED = {
    "ru": {
        "suit": {"clubs": "трефы", "diamonds": "бубны", "hearts": "червы", "spades": "пики"},
        "rank": {"J": "валет", "Q": "дама", "K": "король", "A": "туз"},
    }
}

# Beginnings of words that name them, in whatever case.
BEGINNINGS = {
    "пик": "spades",
    "черв": "hearts",
    "бубн": "diamonds",
    "бубе": "diamonds",
    "буби": "diamonds",
    "треф": "clubs",
    "крест": "clubs",
    "валет": "J",
    "дам": "Q",
    "корол": "K",
    "туз": "A",
}
LONGEST_ENDING = 3

# What is picked, by its usual names in the rules; anything else is quoted.
PICKS = {"card": "карту", "cards": "карты", "suit": "масть", "rank": "достоинство", "pile": "стопку", "player": "игрока", "number": "число"}

# How cards are written besides the letters of the rules: all words that begin as a card does, and what the letters stand for.
RANKS = {"В": "J", "Д": "Q", "К": "K", "Т": "A"}
SUITS = {"П": "S", "Ч": "H", "Б": "D", "К": "C", "Т": "C", "С": "C", "Н": "H"}


def in_letters(word: str) -> str:
    """A word that may be a card in Russian letters, in those of the rules: `9П` is `9S`, `КЧ` is `KH`, `10К` is `10C`."""
    rank, suit = word[:-1].upper(), word[-1:].upper()
    return RANKS.get(rank, rank) + SUITS.get(suit, suit)


def named(language: str, kind: str, text: str) -> str:
    """A suit or a rank by its name in that language: `пики` for `spades`; any other text as it is."""
    return NAMED.get(language, {}).get(kind, {}).get(text, text)


def in_the_rules_words(word: str) -> str:
    """A word that may be the Russian name of a suit or rank, in any case, as the rules call it: `spades` for `пик`; else as it is."""
    begun = next((start for start in BEGINNINGS if word.casefold().startswith(start) and len(word) <= len(start) + LONGEST_ENDING), None)
    return BEGINNINGS[begun] if begun else word


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

"""What PyYAML has to say about a file that is not YAML, in the words of people who write rules."""

from __future__ import annotations

import re

_QUOTE = "put the whole text in quotes"
# What the parser says → what is wrong here, and what to do. The first that fits counts.
_WORDS: tuple[tuple[str, str, str], ...] = (
    ("quoted scalar.*end of stream", "the quotation mark that opens here is never closed", ""),
    ("quoted scalar.*document separator", "a line of '---' or '...' stands inside quotes", ""),
    ("unknown escape", "a backslash in double quotes must be followed by a letter that YAML knows", "use single quotes, or write \\\\"),
    ("escape sequence", "the number of this escape is not complete", ""),
    ("mapping values are not allowed", "a colon and a space in a text, or a key at a wrong depth", _QUOTE + ", or mend the indentation"),
    ("expected ':'", "this line has neither a key and ': ' nor the right indentation", "write 'key: text'"),
    ("cannot start any token", "a text cannot begin with this sign", _QUOTE),
    ("block scalar", "a text cannot begin with '>' or '|'", _QUOTE),
    ("scanning a(n alias| alias|n anchor| tag)|parsing a tag|tag handle|percent", "a text cannot begin with '*', '&' or '!'", _QUOTE),
    ("expected ',' or '[]}]'", "this does not fit inside { } or [ ], or they are not closed", "texts with brackets must be quoted"),
    ("expected <block end>", "this does not belong to the mapping or list above it", "mend the indentation, or " + _QUOTE),
    ("expected the node content", "nothing stands here where a text is wanted", _QUOTE),
    ("directive", "a line cannot begin with '%'", _QUOTE),
    ("sequence entries are not allowed", "'- ' cannot begin a list here", "begin the list on a line of its own, or " + _QUOTE),
    ("mapping keys are not allowed", "'? ' is not used in rule files", _QUOTE),
    ("<document start>", "the file goes on after its end", "mend the indentation"),
)
# A line such as `- if A: repeat 10 times: x = 0`, up to its second colon.
_GOVERNING = re.compile(r" *(- +)*(if|else if|else|for each|repeat)\b.*: ")
# A line such as `durak:1`, which YAML takes for a text that goes on in the next line.
_GLUED = re.compile(r"^ *(([a-z][a-z _]*):[^\s:]\S*)[^\n]*\n[^\n]*\Z", re.M)


def in_plain_words(context: str, problem: str, text: str, here: int) -> tuple[str, str]:
    """What is wrong and what to do about it, for a complaint of the YAML parser."""
    both = f"{context} {problem}"
    if glued := _GLUED.search(text, 0, here):
        return f"'{glued[1]}' has no space after its colon", f"write a space after the colon: '{glued[2]}: …'"
    if "mapping values" in both and _GOVERNING.match(text, text.rfind("\n", 0, here) + 1, here):
        return (
            "a second colon and a space in one line",
            "what an 'if', 'for each' or 'repeat' governs stands on lines of its own, as a list",
        )
    for pattern, message, hint in _WORDS:
        if re.search(pattern, both):
            return message, hint
    return f"this cannot be read as YAML: {problem or context}", ""

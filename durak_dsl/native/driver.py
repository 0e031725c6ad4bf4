"""What drives the functions of a game as machine code: it deals, enters phases, plays many deals, and counts what they come to."""

from __future__ import annotations

from durak_dsl.compiler.effects import AGAIN
from durak_dsl.compiler.fuse import MOST_SKIPPED
from durak_dsl.compiler.layout import ACTOR, CHANCE, GIVEN, NODE, SEATS
from durak_dsl.compiler.program import MOST_REDEALS, Program
from durak_dsl.language.ir import Expr

# What a function says that would enter a phase from which play may come back to it without a choice: this, less the number of the phase.
ENTERING = -1000
NEVER = ENTERING - 1_000_000  # play goes from phase to phase without end
WRONG, WELL = 0, 1  # what `deals` says

# What is called from outside: of each argument, whether it is an array or a number.
DEALS = {"deals": "aaannnnaaa", "play_on": "aan"}
PLAIN, SEATED = 6, 3  # how many counts there are of all deals, and of each seat (besides its scores)

DRIVER = """
def entered(s, node):
    skipped = 0
    while node <= {ENTERING}:
        skipped += 1
        if skipped > {MOST_SKIPPED}:
            return {NEVER}
        node = enter(s, {ENTERING} - node)
    return node

def enter(s, n):
    {enter}
    return {NEVER}

def setup(s):
    if entered(s, begin(s)) == {NEVER}:
        fault(0, 0)

def start(s, blank, seed):
    for place in range({size}):
        s[place] = blank[place]
    s[{CHANCE}] = mix(seed)
    {firsts}
    s[{base}] = {cards}
    for place in range({cards}):
        s[{base} + 1 + place] = CARDS[place]
    shuffle(s, {base})
    s[{GIVEN}] = 1

def play_on(s, source, most):
    turns, decisions = playout(s, source, most)
    return turns

def deals(s, before, blank, seed, first, last, most, counts, source, at):
    seats = blank[{SEATS}]
    for number in range(first, last):
        at[0] = number
        one = above(mix(mix(seed) ^ number), 16)
        start(s, blank, one)
        {setup}
        s[{GIVEN}] = 0
        leader = s[{ACTOR}]
        source[0] = mix(mix(one))
        source[1] = 0
        turns, decisions = playout(s, source, most)
        if turns < 0 or turns > most or s[{NODE}] == {AGAIN}:
            return {WRONG}
        counts[0] += turns
        counts[1] += turns * turns
        counts[2] += decisions
        counts[3] += decisions * decisions
        lost = loser(s)
        won = {winner}
        if stalemate(s):
            counts[5] += 1
        elif lost < 0 and won < 0:
            counts[4] += 1
        if lost >= 0:
            for seat in range({losing}):
                counts[{PLAIN} + seat] += 1
                counts[{PLAIN} + seats + (seat - leader) % seats] += 1
        if won >= 0:
            for seat in range({winning}):
                counts[{PLAIN} + 2 * seats + seat] += 1
        for seat in range(seats):
            {scores}
    return {WELL}
"""

DEAL_AGAIN = """for place in range({size}):
            before[place] = s[place]
        setup(s)
        again = 0
        while s[{NODE}] == {AGAIN} and again + 1 < {MOST_REDEALS}:
            again += 1
            chance = s[{CHANCE}]
            for place in range({size}):
                s[place] = before[place]
            s[{CHANCE}] = chance
            s[{GIVEN}] = 0
            setup(s)"""

PLACES = {"AGAIN": AGAIN, "CHANCE": CHANCE, "ENTERING": ENTERING, "GIVEN": GIVEN, "MOST_REDEALS": MOST_REDEALS, "ACTOR": ACTOR}
PLACES |= {"MOST_SKIPPED": MOST_SKIPPED, "NEVER": NEVER, "NODE": NODE, "SEATS": SEATS, "WELL": WELL, "WRONG": WRONG, "PLAIN": PLAIN}


def driver(program: Program, again: bool) -> str:
    """What drives the functions of the program, in the dialect: it plays deals from one number to another, and counts what comes of them
    in the order of `study.simulate.Statistics`.
    """
    layout, rules = program.layout, program.rules
    firsts = []
    for number, (name, keep) in enumerate(rules.keeps.items()):
        if keep.first.body.op != "const":
            place, each = layout.variables[name], bool(keep.first.parameters)
            told = f"s[{place} + seat] = first_{number}(s, seat)" if each else f"s[{place}] = first_{number}(s)"
            firsts.append(f"for seat in range(s[{SEATS}]): {told}" if each else told)
    scores = [
        f"counts[{PLAIN} + {SEATED + number} * seats + seat] += score_{number}(s, seat)" for number in range(len(rules.finish.scores))
    ]
    return DRIVER.format(
        **PLACES,
        enter="\n    ".join(f"if n == {number}: return enter_{number}(s)" for number in range(len(rules.phases))),
        size=layout.size,
        cards=len(program.deck),
        base=layout.zones[rules.deck.start],
        firsts="\n    ".join(firsts) or "pass",
        setup=DEAL_AGAIN.format(**PLACES, size=layout.size) if again else "setup(s)",
        scores="\n            ".join(scores) or "pass",
        losing=_seats_of("lost", rules.finish.loser, rules.teams),
        winning=_seats_of("won", rules.finish.winner, rules.teams),
        winner="winner(s)" if rules.finish.winner is not None else "-1",
    )


def _seats_of(side: str, who: Expr | None, teams: int) -> str:
    """The seats that a result means, from the first one on: of a team all."""
    return f"{side}, seats, {teams}" if who is not None and who.type.kind == "team" else f"{side}, {side} + 1"

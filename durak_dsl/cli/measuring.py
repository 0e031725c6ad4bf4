"""`bench`: how fast rules are played by chance, in every form, against what a hand writes."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import TYPE_CHECKING, Any

import click

from durak_dsl.cli.asked import Numbers, ascii_option, complete_rules, json_option, later_wins_option, loaded, set_option
from durak_dsl.cli.printing import amount, say, say_json, say_not_kept, thrown_away

if TYPE_CHECKING:
    from durak_dsl import Game
    from durak_dsl.study.bench import Play, Runner, Speed

MOST_ROUNDS = 999
SEATS = (2, 4, 6)
BY_HAND = ("throw-in", {"lead_size": "one"})  # what the simulators written by hand play

# What is to be reached: at least so much of the decisions a second of another, with the processor's instruction for it and without.
BARS = {
    ("fused, native", "C by hand"): (1.0, 0.75),
    ("step, native", "C by hand"): (0.39, 0.39),
    ("fused, interpreted", "Python by hand"): (0.8, 0.8),
    ("step, interpreted", "Python by hand"): (0.4, 0.4),
}
OF_TWO_WORKERS = 1.8  # of one, by the clock
MOST_SECONDS = (3.0, 0.05)  # until machine code plays: made, and from the cache
ONE_PACK, MORE_PACKS, OTHERS = 1 / 2, 1 / 2.5, 1 / 10  # of the first of several rules: of the same family, and of others


@click.command("bench", short_help="Measure how fast rules are played.")
@click.argument("rules", nargs=-1, metavar="[RULES]...", shell_complete=complete_rules)
@set_option("Set an option of all the rules (may be repeated).")
@later_wins_option
@click.option("--seats", type=Numbers(1, 99), multiple=True, metavar="N", help="How many players (may be repeated; default: 2, 4 and 6).")
@click.option("--rounds", type=Numbers(1, MOST_ROUNDS), default=15, show_default=True, metavar="N", help="How many rounds.")
@click.option("--turn", type=Numbers(1, 60_000), default=100, show_default=True, metavar="MS", help="Milliseconds of each in a round.")
@click.option(
    "--compile-times/--no-compile-times",
    default=None,
    help="Measure too how long compiling takes (default: of one game only).",
)
@ascii_option
@json_option
def bench_command(
    rules: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    later_wins: bool,
    seats: tuple[int, ...],
    rounds: int,
    turn: int,
    compile_times: bool | None,
    as_json: bool,
) -> None:
    """Measure how fast deals of random play go: fused and step by step, interpreted and as machine code, side by side.

    All play in turn in one process. Times are those of the processor; ratios are medians over the rounds. Without RULES it is throw-in
    with lead_size=one, which simulators written by hand in C and in Python play too. Several RULES are compared with the first.
    What is to be reached is named with whether it was met; the exit status does not depend on it.
    The environment variable DURAK_PDEP=0 forbids the processor's instruction that finds an element of a set.
    """
    from durak_dsl.cli.app import Limit
    from durak_dsl.study.playout import Endless

    if not rules:
        rules, settings = (BY_HAND[0],), settings or tuple(BY_HAND[1].items())
    games = [loaded(name, settings, later_wins) for name in rules]
    run = Run(rounds, turn / 1000)
    counts = _seats(seats, games)
    found: list[dict[str, Any]] = []
    try:
        if not as_json:
            by = ", ".join(f"{name} {value}" for name, value in _machine().items())
            say(f"{amount(rounds, 'round')}; medians; a second is one of the processor; {by}")
        for count in counts:
            parts = [run.alone(games[0], count)] if len(games) == 1 else run.compared(games, count)
            found += parts
            if not as_json:
                run.deals = 0
                print_alone(parts[0]) if len(parts) == 1 else print_compared(parts)
        wanted = len(games) == 1 if compile_times is None else compile_times
        times = [time for name, game in zip(rules, games, strict=True) if wanted and (time := _compiling(name, game, later_wins))]
        workers = run.of_two_workers(games[0], counts[0]) if len(games) == 1 else None
    except Endless as endless:
        raise Limit(str(endless)) from None
    except KeyboardInterrupt:
        raise KeyboardInterrupt(thrown_away(amount(run.deals, "deal"))) from None
    if not run.kept:
        say_not_kept()
    if as_json:
        machine = _machine()
        say_json({"rounds": rounds, **machine, "measured": found, "compiling": times, "workers": workers, "absent": [*run.absent]})
        return
    say()
    for time in times:
        for form, (cold, cached) in time["seconds"].items():
            made, kept = (_met(bar["met"], f"at most {bar['at_most']:g} s") for bar in time["bars"][form])
            say(f"compiling {time['rules']}, {form}: {cold:.2f} s, {made}; from the cache {cached:.3f} s, {kept}")
    if workers:
        say(
            f"two workers, {workers['seats']} seats: {workers['ratio']:.2f} times one; "
            + _met(workers["met"], f"at least {OF_TWO_WORKERS}")
        )
    for note in run.absent:
        say(note)


def _machine() -> dict[str, str]:
    import platform
    from importlib import metadata

    from durak_dsl.native import machine

    found = {"python": platform.python_version()}
    with contextlib.suppress(metadata.PackageNotFoundError):
        found["llvmlite"] = metadata.version("llvmlite")
    return found | {"pdep": "yes" if machine.deposits() else "no"}


def _seats(asked: Sequence[int], games: Sequence[Game]) -> list[int]:
    """The numbers of players to measure: those asked for, or those of the usual that all the rules allow."""
    if asked:
        for game in games:
            for count in asked:
                game.check_seats(count)
        return [*dict.fromkeys(asked)]
    both = set.intersection(*(set(game.seats) for game in games))
    if not both:
        raise click.UsageError("there is no number of players that all these rules allow; compare fewer")
    return [count for count in SEATS if count in both] or [min(both)]


@dataclass
class Run:
    """How long is measured, in sentences what could not be, and how many deals were played that nothing has been said of.

    `kept`: whether all machine code is there for the next run.
    """

    rounds: int
    turn: float
    absent: dict[str, None] = field(default_factory=dict)
    deals: int = 0
    kept: bool = True

    def alone(self, game: Game, seats: int) -> dict[str, Any]:
        """The forms of one game, and what is written by hand for it."""
        from durak_dsl.native import machine

        speeds = self._measured([*self._by_hand(game, seats), *self._forms(game)], seats)
        others = [name for name in speeds if name.endswith("by hand")] or [*speeds][:1]
        rows = []
        for name, speed in speeds.items():
            row = _row(name, speed, {other: speed.ratio(speeds[other]) for other in others})
            for (who, other), least in BARS.items():
                if who == name and other in speeds:
                    row["bar"] = _bar(other, least[0 if machine.deposits() else 1], speed.ratio(speeds[other]))
            rows.append(row)
        return _head(game, seats) | {"rows": rows}

    def compared(self, games: Sequence[Game], seats: int) -> list[dict[str, Any]]:
        """Several games, each form of one against the same of the first."""
        from durak_dsl.study.bench import Runner

        runners = [Runner(f"{place} {runner.name}", runner.play) for place, game in enumerate(games) for runner in self._forms(game)]
        speeds = self._measured(runners, seats)
        first = games[0].id
        found = [_head(game, seats) | {"rows": []} for game in games]
        for both, speed in speeds.items():
            place, _, name = both.partition(" ")
            base = speeds.get(f"0 {name}")
            row = _row(name, speed, {first: speed.ratio(base)} if base is not None else {})
            if base is not None and name == "fused, native" and place != "0":
                row["bar"] = _bar(first, _least(games[int(place)], games[0]), speed.ratio(base))
            found[int(place)]["rows"].append(row)
        return found

    def _measured(self, runners: Sequence[Runner], seats: int) -> dict[str, Speed]:
        from durak_dsl.study.bench import measured

        counted = [replace(runner, play=self._counted(runner.play)) for runner in runners]
        return dict(zip((runner.name for runner in runners), measured(counted, seats, self.rounds, self.turn), strict=True))

    def _counted(self, play: Play) -> Play:
        def counted(seats: int, deals: int, seed: int) -> int:
            decisions = play(seats, deals, seed)
            self.deals += deals
            return decisions

        return counted

    def _forms(self, game: Game) -> list[Runner]:
        """The forms of the rules, machine code first."""
        from durak_dsl.native.build import NoNative, built
        from durak_dsl.study import bench

        compiled = []
        try:
            compiled = [bench.native(game.program, form) for form in bench.FORMS]
            self.kept = self.kept and built(game.program).code.was_kept
        except NoNative as reason:
            self.absent[f"{game.id} is not compiled: {reason}."] = None
        return [*compiled, *(bench.interpreted(game.program, form) for form in bench.FORMS)]

    def of_two_workers(self, game: Game, seats: int) -> dict[str, Any] | None:
        """What two threads play, of one, where there is machine code and a processor for each."""
        from durak_dsl.native.build import NoNative
        from durak_dsl.study import bench
        from durak_dsl.study.bulk import processors

        if processors() < 2:
            self.absent["There is one processor: two workers are not measured."] = None
            return None
        with contextlib.suppress(NoNative):
            runner = bench.native(game.program, "fused")
            ratio = bench.of_workers(replace(runner, play=self._counted(runner.play)), 2, seats, self.rounds, self.turn)
            return {"seats": seats, "ratio": round(ratio, 4), "at_least": OF_TWO_WORKERS, "met": ratio >= OF_TWO_WORKERS}
        return None

    def _by_hand(self, game: Game, seats: int) -> list[Runner]:
        from durak_dsl.native import machine
        from durak_dsl.study import by_hand

        if (game.id, dict(game.settings)) != BY_HAND or seats not in by_hand.SEATS:
            return []
        runners: list[Runner] = []
        for language in ("C", "Python"):
            try:
                runners.append(by_hand.in_c(machine.deposits()) if language == "C" else by_hand.in_python())
            except by_hand.Absent as absent:
                self.absent[f"There is nothing in {language} to compare with: {absent}."] = None
        return runners


def _least(game: Game, first: Game) -> float:
    """How much of the first of several rules is to be reached by these."""
    if game.document.files[0].id != first.document.files[0].id:
        return OTHERS
    return ONE_PACK if game.rules.deck.copies == 1 else MORE_PACKS


def _head(game: Game, seats: int) -> dict[str, Any]:
    return {"rules": game.id, "rules_hash": game.hash, "settings": dict(game.settings), "seats": seats}


def _row(name: str, speed: Speed, ratios: Mapping[str, float]) -> dict[str, Any]:
    deals, decisions = median(speed.deals), median(speed.decisions)
    rounded = {other: round(ratio, 4) for other, ratio in ratios.items()}
    return {"name": name, "deals_per_second": round(deals, 1), "decisions_per_second": round(decisions, 1), "ratios": rounded}


def _bar(of: str, least: float, ratio: float) -> dict[str, Any]:
    return {"of": of, "at_least": least, "met": ratio >= least}


def _compiling(name: str, game: Game, later_wins: bool) -> dict[str, Any] | None:
    from durak_dsl.native.build import NoNative
    from durak_dsl.study import bench

    try:
        for form in bench.FORMS:
            bench.native(game.program, form)
    except NoNative:
        return None
    seconds = {form: bench.compile_times(name, game.settings, later_wins, min(game.seats), form) for form in bench.FORMS}
    bars = {
        form: [{"at_most": most, "met": part <= most} for part, most in zip(both, MOST_SECONDS, strict=True)]
        for form, both in seconds.items()
    }
    return {"rules": game.id, "seconds": {form: [round(part, 3) for part in both] for form, both in seconds.items()}, "bars": bars}


def print_alone(part: Mapping[str, Any]) -> None:
    """A table: the forms and what is written by hand, against what is written by hand."""
    rows = part["rows"]
    columns = [*dict.fromkeys(other for row in rows for other in row["ratios"])]
    say()
    say(f"{_title(part)}, {part['seats']} seats")
    say("".join([f"{'':20}{'deals/s':>13}{'decisions/s':>14}", *(f"{f'of {name}':>23}" for name in columns)]))
    for row in rows:
        say(f"{row['name']:20}{_speeds(row)}" + "".join(f"{row['ratios'][name]:23.3f}" for name in columns) + _told(row))


def print_compared(parts: Sequence[Mapping[str, Any]]) -> None:
    """A table for each form: the rules, against the first."""
    width = max(len(_title(part)) for part in parts) + 2
    forms = [*dict.fromkeys(row["name"] for part in parts for row in part["rows"])]
    for form in forms:
        say()
        say(f"{form}, {parts[0]['seats']} seats")
        say(f"{'':{width}}{'deals/s':>13}{'decisions/s':>14}{'of the first':>14}")
        for part in parts:
            for row in part["rows"]:
                if row["name"] == form:
                    ratio = "".join(f"{ratio:14.3f}" for ratio in row["ratios"].values())
                    say(f"{_title(part):{width}}{_speeds(row)}{ratio}{_told(row)}")


def _title(part: Mapping[str, Any]) -> str:
    return " ".join([part["rules"], *(f"{name}={text}" for name, text in part["settings"].items())])


def _speeds(row: Mapping[str, Any]) -> str:
    return f"{row['deals_per_second']:13,.0f}{row['decisions_per_second']:14,.0f}"


def _told(row: Mapping[str, Any]) -> str:
    bar = row.get("bar")
    return "   " + _met(bar["met"], f"at least {bar['at_least']:.2f} of {bar['of']}") if bar else ""


def _met(met: bool, bar: str) -> str:
    return f"{'met' if met else 'not met'}: {bar}"

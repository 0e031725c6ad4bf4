"""`check`: everything that can be said about rules before anybody plays them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from durak_dsl.cli.asked import Numbers, ascii_option, complete_rules, json_option, later_wins_option, loaded, set_option
from durak_dsl.cli.printing import amount, counted, json_problems, say, say_json, say_problems, thrown_away

if TYPE_CHECKING:
    from durak_dsl import Game, Problem
    from durak_dsl.table.examples import Games

MORE_DEALS = 10  # times as many deals are played before a move is said never to be legal


@dataclass
class Checked:
    """What came of one of the RULES: what is wrong, and what was tried to find out."""

    rules: str
    id: str | None = None
    hash: str | None = None
    examples: int = 0
    deals: int = 0
    choices: int = 0
    short: tuple[int, ...] = ()  # numbers of players that the rules allow, but for which there are not enough cards
    stalemates: list[dict[str, float]] = field(default_factory=list)  # with each number of players, where the rules declare such an end
    stalemates_said: str = ""
    problems: list[Problem] = field(default_factory=list)

    def status(self, strict: bool) -> int:
        """The exit status for it."""
        from durak_dsl.cli.app import FINDINGS, status_of

        errors = [problem for problem in self.problems if strict or not problem.warning]
        if self.id is None:
            return status_of(errors)
        return FINDINGS if errors else 0

    def as_json(self, strict: bool) -> dict[str, Any]:
        """The result as plain values."""
        status = "problems" if self.status(strict) else "ok"
        counts = {"examples": self.examples, "deals": self.deals, "choices": self.choices, "short": [*self.short]}
        found = {"stalemates": self.stalemates, "problems": json_problems(self.problems)}
        return {"rules": self.rules, "id": self.id, "hash": self.hash, "status": status, **counts, **found}


@click.command("check", short_help="Prove what can be proved; run examples, random deals.")
@click.argument("targets", nargs=-1, required=True, metavar="RULES...", shell_complete=complete_rules)
@set_option("Set an option for random deals.")
@later_wins_option
@click.option("--strict", is_flag=True, default=False, help="Count warnings as problems.")
@click.option(
    "--deals",
    type=Numbers(0, 1_000_000),
    default=20,
    show_default=True,
    metavar="N",
    help="Random deals with each number of players.",
)
@click.option("--thorough", is_flag=True, default=False, help="Deal with every choice of every option too (with the ends of a range).")
@click.option("--clauses", is_flag=True, default=False, help="Say which clauses and option values no example proves.")
@json_option
@ascii_option
def check_command(
    targets: tuple[str, ...],
    settings: tuple[tuple[str, str], ...],
    later_wins: bool,
    strict: bool,
    deals: int,
    thorough: bool,
    clauses: bool,
    as_json: bool,
) -> None:
    """Check rules: structure, names, types and honesty; then their examples; then by random deals with every number of players.

    Every fourth deal is also played as it is told in play, card by card. How many deals end by stalemate is said with the bounds between
    which the true share lies with 95 % confidence; more --deals make them narrower.
    """
    from durak_dsl.table.examples import Games

    games = Games()
    results = [Checked(rules) for rules in targets]
    told = 0
    try:
        for result in results:
            _check(result, settings, later_wins, deals, thorough, clauses, games)
            if not as_json:
                told += 1
                _print(result)
    except KeyboardInterrupt:
        raise KeyboardInterrupt(thrown_away(amount(sum(result.deals for result in results[told:]), "random deal"))) from None
    status = max(result.status(strict) for result in results)
    if as_json:
        say_json({"status": "problems" if status else "ok", "results": [result.as_json(strict) for result in results]})
    click.get_current_context().exit(status)


def _check(
    found: Checked, settings: tuple[tuple[str, str], ...], later_wins: bool, deals: int, thorough: bool, clauses: bool, games: Games
) -> None:
    from durak_dsl.problems import RuleError

    try:
        plain = loaded(found.rules, (), later_wins)
        game = plain.with_options(dict(settings)) if settings else plain
    except RuleError as error:
        found.problems += error.problems
        return
    found.id, found.hash = game.id, game.hash
    if "+" not in game.id:
        games.plain[str(game.document.files[-1].file)] = plain  # its examples are about the same rules
    found.problems += [*_clashes(game), *game.rules.warnings, *_examples(game, games, found, clauses)]
    if deals and not any(not problem.warning for problem in found.problems):
        found.problems += _by_play(game, deals, thorough, found)


def _clashes(game: Game) -> Iterator[Problem]:
    """What the files that were asked for are called that other rules are called already."""
    from durak_dsl.source import library

    for file in game.document.asked:
        yield from library.clashes(file)


def _examples(game: Game, games: Games, found: Checked, clauses: bool) -> Iterator[Problem]:
    """What is wrong with the examples of the files that were asked for; and, if wanted, what they leave unproven."""
    from durak_dsl.table.coverage import unproven
    from durak_dsl.table.examples import run_examples

    for file in game.document.asked:
        report = run_examples(file, games)
        found.examples += report.ran
        yield from report.problems
        yield from unproven(file, game, report) if clauses else ()


def _by_play(game: Game, deals: int, thorough: bool, found: Checked) -> Iterator[Problem]:
    """What random deals find."""
    from durak_dsl.study.trial import every_option, kind_of, never_legal, stalemates, stalemates_said, too_often, trial

    def tick() -> None:
        found.deals += 1

    tried = trial(game, deals, told=True, tick=tick)
    yield from tried.problems
    yield from never_legal(game, tried, MORE_DEALS * deals)
    yield from too_often(game, tried)
    if game.rules.finish.stalemate is not None:
        found.stalemates, found.stalemates_said = stalemates(tried), stalemates_said(tried)
    if tried.deals:
        found.short = tuple(count for count in game.rules.counts if count not in game.seats)
    trials = [tried]
    said = {kind_of(problem) for problem in tried.problems}
    for other in every_option(game, max(1, deals // 4), tick) if thorough else ():
        yield from (problem for problem in other.problems if kind_of(problem) not in said)
        said |= {kind_of(problem) for problem in other.problems}
        trials.append(other)
    found.choices = sum(one.choices for one in trials)


def _print(result: Checked) -> None:
    from durak_dsl.problems import listed

    given_up = any(one["stalemates"] for one in result.stalemates)
    none = ["no stalemate"] if result.stalemates and not given_up else []
    tried = ", ".join([amount(result.examples, "example"), amount(result.deals, "random deal"), *none])
    if result.id is None:
        say_problems(result.problems)
    elif not result.problems:
        say(f"{result.id}: all is well ({tried})")
    else:
        say_problems(result.problems, summary=False)
        say(f"{result.id}: {counted(result.problems)} ({tried})")
    if given_up:
        say(f"   stalemate: {result.stalemates_said}")
    if result.short:
        counts = listed([*map(str, result.short)], "and")
        say(f"   not tried with {counts} players: there are not enough cards to deal to so many")

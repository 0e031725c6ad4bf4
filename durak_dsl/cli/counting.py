"""`simulate` and `perft`: many deals by chance, and ways to play counted."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from durak_dsl.cli.app import FINDINGS, USAGE, Limit, typed
from durak_dsl.cli.asked import Numbers, json_option, loaded, seats_of, seats_option, with_rules
from durak_dsl.cli.clustering import cluster_option, on_cluster
from durak_dsl.cli.printing import amount, say, say_json, say_not_kept, thrown_away

if TYPE_CHECKING:
    from durak_dsl import Game

MOST_DEALS = 10**12
MOST_WORKERS = 1000
MOST_DEPTH = 60


@click.command("simulate", short_help="Play many deals and print statistics.")
@with_rules
@click.option("--deals", type=Numbers(1, MOST_DEALS), default=1000, show_default=True, metavar="N", help="How many deals.")
@click.option("--matches", type=Numbers(1, MOST_DEALS), default=None, metavar="N", help="How many whole matches, instead of deals.")
@seats_option("How many players (default: the fewest).")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="Deals of the same seed are the same.")
@click.option("--players", type=click.Choice(["random", "search"]), default="random", show_default=True, help="Which machine players play.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "python", "native"]),
    default="auto",
    show_default=True,
    help="Interpreted code, machine code, or what is worth it. The statistics are the same.",
)
@click.option(
    "--workers",
    type=Numbers(1, MOST_WORKERS),
    default=None,
    metavar="N",
    help="How many play at once (default: with machine code a thread for each processor; interpreted, where each is a process, one).",
)
@click.option(
    "--checkpoint",
    type=click.Path(path_type=Path),
    default=None,
    metavar="FILE",
    help="Write down in FILE what has been played, and go on with what is there.",
)
@cluster_option
@json_option
@click.pass_context
def simulate_command(
    ctx: click.Context,
    rules: str,
    settings: tuple[tuple[str, str], ...],
    later_wins: bool,
    deals: int,
    matches: int | None,
    seats: int | None,
    seed: int,
    players: str,
    engine: str,
    workers: int | None,
    checkpoint: Path | None,
    cluster: str | None,
    as_json: bool,
) -> None:
    """Let machine players play many deals or matches, and print statistics.

    A turn is one move of a player; it is a decision where there were two or more to choose from. Random players make each choice
    of a move with equal chances.
    """
    from durak_dsl.study.playout import Endless

    if matches is not None:
        if ctx.get_parameter_source("deals") is not ParameterSource.DEFAULT:
            raise click.UsageError("either so many --deals or so many --matches")
        for name in ("workers", "checkpoint", "cluster"):
            if ctx.params[name] is not None:
                raise click.UsageError(f"--{name} goes with --deals, not with --matches")
        if engine == "native":
            raise click.UsageError("machine code plays single deals; --matches are interpreted")
    game = loaded(rules, settings, later_wins)
    count = seats_of(game, seats)
    head = {"rules": game.id, "rules_hash": game.hash, "options": dict(game.options), "seed": seed, "players": players}
    try:
        if matches is not None:
            found, speed = _matches(game, count, matches, seed, players)
        else:
            found, speed = _deals(game, count, deals, seed, players, engine, workers, checkpoint, cluster)
    except Endless as endless:
        raise Limit(str(endless)) from None
    if as_json:
        say_json(head | found)
        return
    _print(game, head | found)
    say(speed, err=True)


def _matches(game: Game, seats: int, matches: int, seed: int, players: str) -> tuple[dict[str, Any], str]:
    """What so many matches come to, and how fast they were."""
    from durak_dsl.study.matches import simulate_matches

    if game.rules.match.over is None:
        raise click.UsageError(f"{game.id} does not say when a match is over: only --deals can be counted")
    start = time.perf_counter()
    played = 0

    def counted() -> Iterator[int]:
        nonlocal played
        while played < matches:
            yield played
            played += 1
            bar.update(1)

    try:
        with _bar(matches, "matches") as bar:
            found = simulate_matches(game, seats, counted(), seed, players).as_json()
    except KeyboardInterrupt:
        raise KeyboardInterrupt(thrown_away(amount(played, "match", "es"))) from None
    return {"engine": "python"} | found, f"{matches / (time.perf_counter() - start):,.1f} matches a second, interpreted"


def _deals(
    game: Game,
    seats: int,
    deals: int,
    seed: int,
    players: str,
    engine: str,
    workers: int | None,
    checkpoint: Path | None,
    address: str | None,
) -> tuple[dict[str, Any], str]:
    """What so many deals come to, and how fast they were and why."""
    from durak_dsl.study.bulk import run
    from durak_dsl.study.checkpoint import CheckpointError
    from durak_dsl.study.engines import NoEngine, WorkersLost

    done = 0

    def progress(more: int) -> None:
        nonlocal done
        done += more
        bar.update(more)

    try:
        with on_cluster(address, workers) as cluster, _bar(deals, "deals") as bar:
            ran = run(
                *(game, seats, deals, seed, players),
                engine=engine,
                workers=workers,
                progress=progress,
                checkpoint=checkpoint,
                cluster=cluster,
            )
    except KeyboardInterrupt:
        if checkpoint is None or not done:
            raise KeyboardInterrupt(thrown_away(amount(done, "deal"))) from None
        raise KeyboardInterrupt(f"interrupted: {done:,} of {deals:,} deals are kept in {checkpoint}; to go on: {typed()}") from None
    except (CheckpointError, NoEngine, WorkersLost) as error:
        say(str(error), err=True)
        click.get_current_context().exit(FINDINGS if isinstance(error, WorkersLost) else USAGE)
    if not ran.kept:
        say_not_kept()
    played = {"native": "in machine code", "python": "interpreted"}.get(ran.engine, "some in machine code, some interpreted")
    why = f", because {ran.why}" if ran.why else ""
    there = f"; {amount(deals - ran.played, 'deal')} were in {checkpoint} already" if ran.played < deals else ""
    made = f"; to make or load it took {ran.making:.1f} s" if ran.making >= 0.1 else ""
    speed = f"{ran.played / ran.seconds:,.0f} deals a second, {played}{why}" if ran.played else "nothing was left to play"
    return {"engine": ran.engine} | ran.statistics.as_json(), speed + made + there


def _bar(length: int, what: str) -> Any:
    """A bar on the standard error that shows how far it is; nothing where that is no terminal."""
    file = sys.stderr
    return click.progressbar(length=length, label=what, file=file, hidden=not file.isatty(), show_pos=True)


def _print(game: Game, found: dict[str, Any]) -> None:
    unit = "match" if "matches" in found else "deal"
    many = amount(found["deals"], "deal") if unit == "deal" else amount(found["matches"], "match", "es")
    shares = found["shares"]
    options = "".join(f" {name}={text}" for name, text in game.settings.items())
    say(f"{game.id}{options}: {many} of {found['seats']} players ({found['players']}), seed {found['seed']}")
    for name in ("decisions", "turns", "deals"):
        if (mean := found.get(f"{name}_per_{unit}")) is not None:
            error = found[f"{name}_per_{unit}_error"]
            say(f"{name} a {unit}: {mean:.2f}" + (f" (standard error {error:.2f})" if error is not None else ""))
    for name in ("draws", "stalemates"):
        if name in found:
            of = f" of {amount(found['deals'], 'deal')}" if name == "stalemates" and unit == "match" else ""
            say(f"{name}{of}: {_share(found[name], shares[name])}")
    for name in ("loss_by_seat", "loss_by_distance_from_first_leader", "wins_by_seat"):
        if name not in found or (name == "wins_by_seat" and game.rules.finish.winner is None):
            continue
        say(f"{name.replace('_', ' ')}:")
        for number, (count, share) in enumerate(zip(found[name], shares[name], strict=True)):
            say(f"  {f'P{number + 1}' if name.endswith('by_seat') else number}: {_share(count, share)}")
    for name, means in found.get("scores", {}).items():
        say(f"{name.replace('_', ' ')}, mean: " + ", ".join(f"P{seat} {mean:.2f}" for seat, mean in enumerate(means, 1)))


def _share(count: int, share: dict[str, float]) -> str:
    return f"{count:,} = {share['share']:.4f} (95 %: {share['low']:.4f} to {share['high']:.4f})"


@click.command("perft", short_help="Count sequences of moves, to compare engines.")
@with_rules
@seats_option("How many players (default: the fewest).")
@click.option("--seed", type=int, default=0, show_default=True, metavar="S", help="The seed of the deal.")
@click.option(
    "--deck", default=None, metavar="CARDS", help="The deck instead of a seed, top first; ... stands for all other cards in order."
)
@click.option("--depth", type=Numbers(0, MOST_DEPTH), default=2, show_default=True, metavar="D", help="How many moves.")
@click.option("--divide", "by_move", is_flag=True, default=False, help="Print the number for each first move.")
@json_option
@click.pass_context
def perft_command(
    ctx: click.Context,
    rules: str,
    settings: tuple[tuple[str, str], ...],
    later_wins: bool,
    seats: int | None,
    seed: int,
    deck: str | None,
    depth: int,
    by_move: bool,
    as_json: bool,
) -> None:
    """Count the sequences of so many whole moves that may follow a deal."""
    import durak_dsl
    from durak_dsl.study.perft import divide, perft

    if deck is not None and ctx.get_parameter_source("seed") is not ParameterSource.DEFAULT:
        raise click.UsageError("a deal is either of a --seed or of a --deck")
    if by_move and not depth:
        raise click.UsageError("--divide wants a depth of at least 1")
    game = loaded(rules, settings, later_wins)
    table = durak_dsl.deal(game, seats_of(game, seats), seed=None if deck else seed, deck=deck)
    parts = [(move, count) for move, count in divide(table, depth)] if by_move else []
    total = sum(count for _, count in parts) if by_move else perft(table, depth)
    if as_json:
        dealt = game.cards.list(table.deck)
        head = {
            "rules": game.id,
            "rules_hash": game.hash,
            "options": dict(game.options),
            "seats": table.seats,
            "deck": dealt,
            "depth": depth,
            "count": total,
        }
        say_json(head | ({"divide": {move.text(): count for move, count in parts}} if by_move else {}))
        return
    for move, count in parts:
        say(f"{move}: {count:,}")
    say(f"{total:,}")

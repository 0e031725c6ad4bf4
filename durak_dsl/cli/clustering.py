"""The option `--cluster`: deals are played by the workers of a dask cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from durak_dsl.cli.printing import say

if TYPE_CHECKING:
    from durak_dsl.study.cluster import Cluster

F = TypeVar("F", bound=Callable[..., Any])


def cluster_option(command: F) -> F:
    """Give a command `--cluster`."""
    return click.option(
        "--cluster",
        default=None,
        metavar="ADDRESS",
        help="Let the workers of a dask cluster play: tcp://HOST:PORT of its scheduler, or 'local' for --workers processes here.",
    )(command)


@contextmanager
def on_cluster(address: str | None, workers: int | None) -> Iterator[Cluster | None]:
    """The cluster at the address, None where none is asked for; what is wrong with it ends the command with a sentence."""
    if address is None:
        yield None
        return
    from durak_dsl.cli.app import FINDINGS, USAGE
    from durak_dsl.study.bulk import processors
    from durak_dsl.study.cluster import LOCAL, NoCluster, cluster

    if address != LOCAL and workers is not None:
        raise click.UsageError("how many --workers a cluster has is said where it is started")
    found = None
    try:
        with cluster(address, workers or processors()) as found:
            yield found
    except NoCluster as problem:
        say(str(problem), err=True)
        click.get_current_context().exit(USAGE if found is None else FINDINGS)

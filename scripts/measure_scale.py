"""The figures of docs/scale.md: how well worker processes play, and what a chunk costs on the way.

    python scripts/measure_scale.py [--workers 1,2,4] [--repeats 3] [--seconds 4]

Threads of one process and processes of a cluster play the same chunks in turn, so that whatever
else the machine does troubles both. Everything is printed as one table in Markdown.
"""

import argparse
import pickle
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial

from simdom.engine.kernels import Study, compile_engine, tally_rounds
from simdom.engine.tally import Tally
from simdom.executors.cluster import local_cluster
from simdom.executors.dask import SHORTEST_SECONDS, DaskExecutor
from simdom.executors.protocol import Executor
from simdom.executors.remote import build_here, play_chunk, sealed
from simdom.executors.threads import ThreadsExecutor, usable_cores
from simdom.simulate import study_of
from simdom.variants import load_variant

CHUNKS_A_WORKER = 3
EMPTY = 1000
FULL = 300


def play(study: Study, chunk: range) -> Tally:
    """What a worker does."""
    return tally_rounds(study, chunk.start, chunk.stop)


def nothing(_: range) -> None:
    """A chunk that takes no time, so that all of it is overhead."""


def chunks(size: int, count: int) -> Iterable[range]:
    """So many chunks of so many rounds."""
    return (range(size * number, size * (number + 1)) for number in range(count))


def rate(executor: Executor, work: Callable[[range], object], size: int, count: int) -> float:
    """Chunks of this size that are played, in rounds a second."""
    began = time.perf_counter()
    for _ in executor.play(work, chunks(size, count)):
        pass
    return size * count / (time.perf_counter() - began)


def traffic() -> int:
    """Bytes that this machine has sent to itself."""
    import psutil  # dask needs it, so it is there

    return int(psutil.net_io_counters(pernic=True)["lo"].bytes_sent)


def compare(work: Callable[[range], Tally], size: int, workers: int, repeats: int) -> str:
    """A row of the table: this many workers beside threads on as many cores as they have."""
    threads = ThreadsExecutor(min(workers, usable_cores()))
    rates: list[tuple[float, float]] = []
    with local_cluster(workers) as client:
        cluster = DaskExecutor(client)
        rate(cluster, work, 1000, 4 * workers)  # each loads the engine
        for _ in range(repeats):
            count = CHUNKS_A_WORKER * workers
            rates.append((rate(threads, work, size, count), rate(cluster, work, size, count)))
    ratios = [there / here for here, there in rates]
    here, there = (statistics.median(column) for column in zip(*rates, strict=True))
    return (
        f"| {workers} | {threads.workers} | {here / 1e6:.2f} M/s | {there / 1e6:.2f} M/s "
        f"| {statistics.median(ratios):.0%} ({min(ratios):.0%} to {max(ratios):.0%}) |"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--workers", default="1,2,4")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=SHORTEST_SECONDS)
    given = parser.parse_args()

    study = study_of(load_variant("pagat-draw").rules(), "random", 1)
    compile_engine(study)
    work = partial(play, study)
    speed = rate(ThreadsExecutor(1), work, 1_000_000, 3)
    size = int(speed * given.seconds)
    say = sys.stdout.write

    call = sealed(play_chunk, build_here(), pickle.dumps(work), range(10**13 - size, 10**13))
    say(f"bytes of a call: {len(call):,}; of its tally: {len(pickle.dumps(work(range(1000)))):,}\n")
    with local_cluster(1) as client:
        executor = DaskExecutor(client)
        rate(executor, nothing, 1, 50)
        say(f"overhead of a chunk: {1000 / rate(executor, nothing, 1, EMPTY):.1f} ms\n")
        rate(executor, work, 1000, 10)
        before = traffic()
        rate(executor, work, 1000, FULL)
        sent = (traffic() - before) / FULL
        say(f"bytes through the network for a chunk, all told: {sent:,.0f}\n\n")
    say(f"chunks of {size:,} rounds, {usable_cores()} cores\n\n")
    say("| workers | threads | threads play | workers play | workers / threads |\n")
    say("|---|---|---|---|---|\n")
    for workers in map(int, given.workers.split(",")):
        say(compare(work, size, workers, given.repeats) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()

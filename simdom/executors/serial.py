"""All chunks one after another, where the caller is."""

from collections.abc import Iterable, Iterator

from simdom.engine.kernels import Study, tally_rounds
from simdom.engine.tally import Tally

__all__ = ["SerialExecutor"]


class SerialExecutor:
    """Plays chunks in the calling thread."""

    workers = 1

    def play(self, study: Study, chunks: Iterable[range]) -> Iterator[Tally]:
        """See `simdom.executors.protocol.Executor.play`."""
        for chunk in chunks:
            yield tally_rounds(study, chunk.start, chunk.stop)

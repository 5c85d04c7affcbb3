# SPDX-License-Identifier: Apache-2.0
"""Workers of a search for keys that are processes of dask.distributed, here or on other machines.

A worker needs this project in its environment, compiles the variant that suits its own processor,
and has a unit on each of its threads. What a worker that dies had under way is searched again by
the others, or by one that comes later; all else of the search stands.
"""

from __future__ import annotations

import functools
import threading
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, Self

from lydite.base.errors import LimitReached, LyditeError, Told
from lydite.runs.clusters import cluster
from lydite.runs.processors import key_search, libraries
from lydite.runs.processors.key_search import Wanted
from lydite.runs.processors.software import cpu_features

if TYPE_CHECKING:
    from lydite.runs.processors.loaded import Library

# Half a second to some seconds of one thread: a unit costs milliseconds of the scheduler.
UNIT_KEYS = 1 << 29
_lock = threading.Lock()


class Cluster:
    """Workers of a scheduler; a context manager. As `cluster.connect`."""

    def __init__(self, address: str, processes: int = 1) -> None:
        self.unit_keys = UNIT_KEYS
        self.client = cluster.connect(address, processes)
        self._pool = self.client.get_executor(pure=False)
        self.many = sum(self.client.nthreads().values())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(wait=False)
        cluster.hang_up(self.client)

    def submit(
        self, wanted: Wanted, first: int, last: int, *, every: bool
    ) -> Future[tuple[bytes, ...]]:
        """Have a unit searched by one of them; its future raises Told for what a worker says."""
        answer: Future[tuple[bytes, ...]] = Future()
        asked = self._pool.submit(_unit, wanted, first, last, every)
        asked.add_done_callback(functools.partial(_tell, wanted, answer))
        return answer


@functools.cache
def _library() -> Library:
    return libraries.load(key_search.variant(cpu_features()))


def _unit(
    wanted: Wanted, first: int, last: int, every: bool
) -> tuple[bytes, ...] | tuple[str, int]:
    """Search a unit, in a worker; what is wrong is text and code, since errors do not travel."""
    try:
        with _lock:  # one thread compiles
            library = _library()
        return key_search.search_unit(library, wanted, first, last, every=every)
    except LyditeError as error:
        return str(error), error.exit_code


def _tell(wanted: Wanted, answer: Future[tuple[bytes, ...]], asked: Future[Any]) -> None:
    """Pass on what a worker answers, and check its keys here, too."""
    if asked.cancelled():
        answer.cancel()
        return
    error = asked.exception()
    if error is not None:
        answer.set_exception(_lost(error))
        return
    try:
        match asked.result():
            case (str(text), int(code)):
                answer.set_exception(Told(f"a worker says: {text}", code))
            case keys:
                for key in keys:
                    wanted.check(key, "the key of a worker")
                answer.set_result(keys)
    except LyditeError as wrong:
        answer.set_exception(wrong)


def _lost(error: BaseException) -> BaseException:
    """Give what became of a unit that has no answer."""
    if type(error).__name__ == "KilledWorker":
        what = "some workers in a row died with the same unit, which is not searched"
        return LimitReached("--cluster", what, "see why they die; the same command goes on")
    if isinstance(error, ModuleNotFoundError):
        return Told(f"a worker says: {error}\n  install this project where workers run", 3)
    return error

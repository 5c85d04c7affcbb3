# SPDX-License-Identifier: Apache-2.0
"""Workers of a search for keys that are processes of dask.distributed, here or on other machines.

A worker needs this project in its environment, compiles the variant that suits its own processor,
and has a unit on each of its threads. What a worker that dies had under way is searched again by
the others, or by one that comes later; all else of the search stands.
"""

from __future__ import annotations

import asyncio
import functools
import logging
import threading
from concurrent.futures import Future
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from lydite.base.errors import InputError, LimitReached, LyditeError, Told, ToolNotFound
from lydite.runs import key_search, libraries
from lydite.runs.key_search import Wanted
from lydite.runs.software import cpu_features

if TYPE_CHECKING:
    from distributed import Client

    from lydite.runs.loaded import Library

LOCAL = "local"
# Half a second to some seconds of one thread: a unit costs milliseconds of the scheduler.
UNIT_KEYS = 1 << 29
_CONNECT_S = 10
_lock = threading.Lock()


class Cluster:
    """Workers of a scheduler.

    Parameters
    ----------
    address : str
        That of the scheduler, as tcp://host:8786, or `local` for processes that end with this one.
    processes : int
        How many, of one thread each, where they are local.

    Raises
    ------
    ToolNotFound
        The package `distributed` is not there.
    InputError
        There is no such scheduler, or it has no workers.
    """

    def __init__(self, address: str, processes: int = 1) -> None:
        self.unit_keys = UNIT_KEYS
        self.client = _connect(address, processes)
        self._local = self.client.cluster if address == LOCAL else None
        self._pool = self.client.get_executor(pure=False)
        self.many = sum(self.client.nthreads().values())
        if self.many == 0:
            self._close()
            hint = f"start some: dask worker {address}"
            raise InputError("--cluster", f"{address} has no workers", hint)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.shutdown(wait=False)
        self._close()

    def submit(
        self, wanted: Wanted, first: int, last: int, *, every: bool
    ) -> Future[tuple[bytes, ...]]:
        """Have a unit searched by one of them; its future raises Told for what a worker says."""
        answer: Future[tuple[bytes, ...]] = Future()
        asked = self._pool.submit(_unit, wanted, first, last, every)
        asked.add_done_callback(functools.partial(_tell, wanted, answer))
        return answer

    def _close(self) -> None:
        self.client.close()
        if self._local is not None:
            self._local.close()


def _connect(address: str, processes: int) -> Client:
    try:
        # Imported here: an optional package, and slow to load.
        import distributed
    except ModuleNotFoundError as error:
        remedy = "install the extra `cluster`: pip install 'lydite[cluster]'"
        raise ToolNotFound("distributed", "this package is not there", remedy) from error
    # It tells of each worker that comes and goes.
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    if address == LOCAL:
        cluster = distributed.LocalCluster(
            n_workers=processes, threads_per_worker=1, processes=True, dashboard_address=None
        )
        return distributed.Client(cluster)
    try:
        asyncio.run(_answers(address))
        return distributed.Client(address, timeout=_CONNECT_S)
    except (TimeoutError, OSError, ValueError, TypeError) as error:
        hint = "start one with `dask scheduler`, which says its address"
        raise InputError("--cluster", f"no scheduler at {address!r}", hint) from error


async def _answers(address: str) -> None:
    """Try to reach a scheduler.

    A client that cannot leaves a thread, and closes itself whenever it is collected, which stops
    whoever does that for seconds: the thread of the next client, for one, which then is too late.
    """
    from distributed.comm import connect

    comm = await connect(address, timeout=_CONNECT_S)
    await comm.close()


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

# SPDX-License-Identifier: Apache-2.0
"""A search for keys of DES on this machine's processors: all threads, progress, and resumption.

A range is cut into units of equal size, which threads take in order; each is one call of the
operation `search` of the catalogue's software. What is done stands in a file, so that a search that
was ended goes on where it was. A key that is found is tried again by the specification: a variant
that reports a wrong one is seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from lydite.base import digest
from lydite.base.errors import CheckFailed, InputError
from lydite.base.files import read_text, write_atomic
from lydite.cores import Software, catalog
from lydite.cores.des import fast, spec
from lydite.cores.operation import Operation
from lydite.sim.software import Library

PRIMITIVE = "des-search"
# A tenth of a second to a second of one thread.
UNIT_KEYS = 1 << 26
_SAVE_S = 1.0


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is searched: keys from `first` to `last` as numbers without parity, both counted, that
    encrypt two pairs of blocks; one pair may be given twice.
    """

    first: int
    last: int
    pairs: tuple[bytes, bytes, bytes, bytes]

    def name(self, *, every: bool) -> str:
        """Digest of what is searched."""
        pairs = [block.hex() for block in self.pairs]
        return digest.of_value([self.first, self.last, pairs, every])

    def check(self, key: bytes, who: str) -> None:
        """Try a key that somebody reports.

        Raises
        ------
        CheckFailed
            It is out of the range, or does not encrypt both pairs.
        """
        plaintext, ciphertext, plaintext2, ciphertext2 = self.pairs
        got = fast.encrypt(key, plaintext), fast.encrypt(key, plaintext2)
        in_range = self.first <= spec.number_of(key) <= self.last
        if not in_range or got != (ciphertext, ciphertext2):
            told = f"{key.hex()}, " + ("which is no such key" if in_range else "out of the range")
            raise CheckFailed("a key that encrypts both pairs", told, who)


class State(msgspec.Struct, forbid_unknown_fields=True):
    """What is done: all keys below `next`, and the keys found, in hexadecimal."""

    search: str
    next: int
    found: list[str] = []


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a search is: keys done, of how many, those of this run, and its seconds."""

    done: int
    total: int
    now: int
    seconds: float

    @property
    def keys_per_second(self) -> float:
        """Rate of this run."""
        return self.now / self.seconds if self.seconds > 0 else 0.0

    @property
    def left_s(self) -> float:
        """Seconds that are left at this rate; 0 as long as there is none."""
        rate = self.keys_per_second
        return (self.total - self.done) / rate if rate else 0.0


def variant(features: Collection[str]) -> Software:
    """Give the variant with the most lanes that a processor with these features can run."""
    usable = [
        one
        for one in catalog.software(PRIMITIVE)
        if one.role == "multi" and set(one.cpu) <= set(features)
    ]
    return max(usable, key=lambda one: one.defines["VECTOR_BITS"])


@dataclass(slots=True)
class Search:
    """A search: what is wanted, who works, and the file in which it says how far it is.

    Attributes
    ----------
    every : bool
        All keys; else it ends with the lowest one.
    unit_keys : int
        Keys of a unit.
    """

    wanted: Wanted
    library: Library
    state: Path
    every: bool = False
    unit_keys: int = UNIT_KEYS
    _operation: Operation = field(init=False)

    def __post_init__(self) -> None:
        [primitive] = [one for one in catalog.primitives() if one.name == PRIMITIVE]
        self._operation = primitive.operation("search")

    def load(self) -> State:
        """Read how far it is.

        Raises
        ------
        InputError
            The file is none of this search.
        """
        name = self.wanted.name(every=self.every)
        if not self.state.exists():
            return State(search=name, next=self.wanted.first)
        try:
            text = read_text(self.state, "the state of a search")
            state = msgspec.json.decode(text, type=State)
        except msgspec.DecodeError as error:
            raise InputError(str(self.state), f"not the state of a search: {error}") from error
        if state.search != name or not self.wanted.first <= state.next <= self.wanted.last + 1:
            what = "is the state of another search"
            raise InputError(str(self.state), what, "name another file, or remove this one")
        return state

    def run(self, threads: int, tell: Callable[[Progress], None]) -> tuple[bytes, ...]:
        """Search on so many threads and give the keys, in order.

        Raises
        ------
        CheckFailed
            A key that was reported is wrong.
        """
        state = self.load()
        if state.found and not self.every:
            return tuple(map(bytes.fromhex, state.found))
        began = time.monotonic()
        start, saved = state.next, began
        with ThreadPoolExecutor(threads) as pool:
            try:
                for end, keys in self._in_order(pool, threads, start):
                    state.next = end
                    state.found += [key.hex() for key in keys]
                    now = time.monotonic()
                    if state.found and not self.every:
                        break
                    if now - saved >= _SAVE_S:
                        self._save(state)
                        saved = now
                    tell(self._progress(state, start, now - began))
            finally:
                self._save(state)
                pool.shutdown(cancel_futures=True)
        tell(self._progress(state, start, time.monotonic() - began))
        return tuple(map(bytes.fromhex, state.found))

    def _progress(self, state: State, start: int, seconds: float) -> Progress:
        total = self.wanted.last + 1 - self.wanted.first
        return Progress(state.next - self.wanted.first, total, state.next - start, seconds)

    def _save(self, state: State) -> None:
        write_atomic(self.state, msgspec.json.encode(state))

    def _in_order(
        self, pool: ThreadPoolExecutor, threads: int, start: int
    ) -> Iterator[tuple[int, tuple[bytes, ...]]]:
        """Give the end of each unit, and the keys in it, in the order of units."""
        at = start
        running: list[tuple[int, Future[tuple[bytes, ...]]]] = []
        while running or at <= self.wanted.last:
            # Some more than threads: one that is done early goes on.
            while at <= self.wanted.last and len(running) < 2 * threads:
                end = min((at // self.unit_keys + 1) * self.unit_keys, self.wanted.last + 1)
                running.append((end, pool.submit(self._unit, at, end - 1)))
                at = end
            end, first = running.pop(0)
            yield end, first.result()

    def _unit(self, first: int, last: int) -> tuple[bytes, ...]:
        """Give the keys of a unit, or its lowest one."""
        found: list[bytes] = []
        while first <= last:
            inputs = [spec.key_of(first), spec.key_of(last), *self.wanted.pairs]
            [outputs] = self.library.run(self._operation, [(inputs, None)])
            if outputs is None:
                break
            [key] = outputs
            self.wanted.check(key, "the processor's search")
            found.append(key)
            first = spec.number_of(key) + 1
            if not self.every:
                break
        return tuple(found)

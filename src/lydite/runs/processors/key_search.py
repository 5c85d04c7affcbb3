# SPDX-License-Identifier: Apache-2.0
"""A search for keys of DES on processors: all that work on it, progress, and resumption.

A range is cut into units of equal size, which workers take in order: threads here, or processes of
other machines (`key_cluster`). Each is one call of the operation `search` of the catalogue's
software. What is done stands in a file, so that a search that was ended goes on where it was. A key
that is found is tried again by the specification: a worker that reports a wrong one is seen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import msgspec

from lydite.base import digest
from lydite.base.errors import CheckFailed, InputError
from lydite.base.files import read_text, write_atomic
from lydite.cores import Software, catalog
from lydite.cores.des import fast, spec
from lydite.runs.processors.loaded import Library

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


class Workers(Protocol):
    """Who searches units, some at once.

    Attributes
    ----------
    many : int
        Units at once.
    unit_keys : int
        Keys of a unit that keeps one of them at work for long enough.
    """

    many: int
    unit_keys: int

    def __enter__(self) -> Self: ...

    def __exit__(self, *error: object) -> None:
        """Stop what is not yet done."""

    def submit(
        self, wanted: Wanted, first: int, last: int, *, every: bool
    ) -> Future[tuple[bytes, ...]]:
        """Have a unit searched: `search_unit`."""
        ...


class Threads:
    """Threads of this process, with a variant of the catalogue's software."""

    def __init__(self, library: Library, many: int) -> None:
        self.many = many
        self.unit_keys = UNIT_KEYS
        self._library = library
        self._pool = ThreadPoolExecutor(many)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def submit(
        self, wanted: Wanted, first: int, last: int, *, every: bool
    ) -> Future[tuple[bytes, ...]]:
        """Have a unit searched: `search_unit`."""
        return self._pool.submit(search_unit, self._library, wanted, first, last, every=every)


def search_unit(
    library: Library, wanted: Wanted, first: int, last: int, *, every: bool
) -> tuple[bytes, ...]:
    """Give the keys from first to last, or the lowest one.

    Raises
    ------
    CheckFailed
        A key that the library reports is wrong.
    """
    primitive = catalog.primitive(PRIMITIVE)
    operation = primitive.operation("search")
    found: list[bytes] = []
    while first <= last:
        inputs = [spec.key_of(first), spec.key_of(last), *wanted.pairs]
        [outputs] = library.run(operation, [(inputs, None)])
        if outputs is None:
            break
        [key] = outputs
        wanted.check(key, "the processor's search")
        found.append(key)
        first = spec.number_of(key) + 1
        if not every:
            break
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Search:
    """A search: what is wanted, and the file in which it says how far it is.

    Attributes
    ----------
    every : bool
        All keys; else it ends with the lowest one.
    unit_keys : int
        Keys of a unit; 0 for what suits the workers.
    """

    wanted: Wanted
    state: Path
    every: bool = False
    unit_keys: int = 0

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

    def run(self, workers: Workers, tell: Callable[[Progress], None]) -> tuple[bytes, ...]:
        """Search with these workers, which end with it, and give the keys, in order.

        Raises
        ------
        CheckFailed
            A key that was reported is wrong.
        """
        with workers:
            state = self.load()
            if state.found and not self.every:
                return tuple(map(bytes.fromhex, state.found))
            began = time.monotonic()
            start, saved = state.next, began
            try:
                for end, keys in self._in_order(workers, start):
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
        tell(self._progress(state, start, time.monotonic() - began))
        return tuple(map(bytes.fromhex, state.found))

    def _progress(self, state: State, start: int, seconds: float) -> Progress:
        total = self.wanted.last + 1 - self.wanted.first
        return Progress(state.next - self.wanted.first, total, state.next - start, seconds)

    def _save(self, state: State) -> None:
        write_atomic(self.state, msgspec.json.encode(state))

    def _in_order(self, workers: Workers, start: int) -> Iterator[tuple[int, tuple[bytes, ...]]]:
        """Give the end of each unit, and the keys in it, in the order of units."""
        at = start
        keys = self.unit_keys or workers.unit_keys
        running: list[tuple[int, Future[tuple[bytes, ...]]]] = []
        while running or at <= self.wanted.last:
            # Some more than work at once: one that is done early goes on.
            while at <= self.wanted.last and len(running) < 2 * workers.many:
                end = min((at // keys + 1) * keys, self.wanted.last + 1)
                found = workers.submit(self.wanted, at, end - 1, every=self.every)
                running.append((end, found))
                at = end
            end, first = running.pop(0)
            yield end, first.result()

# SPDX-License-Identifier: Apache-2.0
"""The key search on processors: ranges, what is found, resumption, faults, bad input."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import native
import pytest
import sw

from lydite.base import CheckFailed, InputError
from lydite.cli import main
from lydite.cores.des import fast, spec
from lydite.cores.operation import Operation
from lydite.runs.processors import key_search, libraries
from lydite.runs.processors.key_search import Progress, Search, Threads, Wanted
from lydite.runs.processors.loaded import Library

Capture = pytest.CaptureFixture[str]
KEY = bytes.fromhex("133457799bbcdff1")
NUMBER = spec.number_of(KEY)
FEATURES = {"bitslice-64": set(), "bitslice-avx2": {"avx2"}, "bitslice-avx512": {"avx2", "avx512f"}}
pytestmark = pytest.mark.native


def pairs(key: bytes, rng: random.Random) -> tuple[bytes, bytes, bytes, bytes]:
    one, two = rng.randbytes(8), rng.randbytes(8)
    return one, fast.encrypt(key, one), two, fast.encrypt(key, two)


def library(name: str) -> Library:
    native.program("gcc")
    sw.require_cpu(FEATURES[name])
    software = key_search.variant(FEATURES[name])
    assert software.name == name
    return libraries.load(msgspec.structs.replace(software, flags=("-O1 -march=native",)))


def search(
    tmp_path: Path, wanted: Wanted, lib: object, *, every: bool = False, threads: int = 2
) -> tuple[bytes, ...]:
    one = Search(wanted, tmp_path / "state.json", every=every, unit_keys=1 << 20)
    return one.run(Threads(lib, threads), lambda progress: None)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", FEATURES)
def test_planted_keys_are_found_in_random_ranges(name: str, tmp_path: Path) -> None:
    """At the first key, at the last, and anywhere; with parity as DES defines it."""
    lib = library(name)
    rng = random.Random(name)
    for index in range(100 if name == "bitslice-avx512" else 10):
        number = rng.getrandbits(56)
        before, behind = (
            ((0, 9), (9, 0), (0, 0))[index]
            if index < 3
            else (
                rng.randrange(3000),
                rng.randrange(3000),
            )
        )
        wanted = Wanted(
            max(number - before, 0),
            min(number + behind, (1 << 56) - 1),
            pairs(spec.key_of(number), rng),
        )
        (tmp_path / "state.json").unlink(missing_ok=True)
        assert search(tmp_path, wanted, lib) == (spec.key_of(number),)


@pytest.mark.parametrize("name", FEATURES)
def test_known_answers_of_the_search(name: str) -> None:
    lib = library(name)
    [primitive] = [p for p in key_search.catalog.primitives() if p.name == "des-search"]
    operation = primitive.operation("search")
    for vector in primitive.vectors()[::6]:
        inputs = [vector.fields[field] for field in operation.input_names]
        [outputs] = lib.run(operation, [(inputs, None)])
        wanted = (vector.fields["key"],) if vector.accepted else None
        assert outputs == wanted, vector.where


def test_nothing_is_found_beside_the_range(tmp_path: Path) -> None:
    lib = library("bitslice-64")
    rng = random.Random(1)
    for first, last in ((NUMBER + 1, NUMBER + 70), (NUMBER - 70, NUMBER - 1)):
        (tmp_path / "state.json").unlink(missing_ok=True)
        assert search(tmp_path, Wanted(first, last, pairs(KEY, rng)), lib) == ()


class Scripted:
    """A library that reports keys of a list, whatever is asked."""

    def __init__(self, keys: Sequence[int]) -> None:
        self._keys = sorted(keys)
        self.asked: list[tuple[int, int]] = []

    def run(
        self, operation: Operation, calls: Sequence[tuple[Sequence[bytes], None]]
    ) -> list[object]:
        first, last = (spec.number_of(value) for value in calls[0][0][:2])
        self.asked.append((first, last))
        found = [key for key in self._keys if first <= key <= last]
        return [[spec.key_of(found[0])] if found else None]


def test_several_keys_are_given_in_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wanted, "check", lambda self, key, who: None)
    keys = [5, 6, 1 << 20, (5 << 20) + 3]
    wanted = Wanted(0, 6 << 20, (bytes(8),) * 4)
    lib = Scripted(keys)
    found = search(tmp_path, wanted, lib, every=True)
    assert [spec.number_of(key) for key in found] == keys
    (tmp_path / "state.json").unlink()
    assert search(tmp_path, wanted, lib) == (spec.key_of(5),)


@pytest.mark.parametrize("wrong", [NUMBER + 1, NUMBER - 2000])
def test_a_wrong_key_is_seen(wrong: int, tmp_path: Path) -> None:
    wanted = Wanted(NUMBER - 1000, NUMBER + 1000, pairs(KEY, random.Random(2)))

    class Liar(Scripted):
        def run(self, *arguments: object) -> list[object]:
            return [[spec.key_of(wrong)]]

    with pytest.raises(CheckFailed) as raised:
        search(tmp_path, wanted, Liar([]))
    what = "which is no such key" if wrong > NUMBER else "out of the range"
    assert raised.value.got == f"{spec.key_of(wrong).hex()}, {what}"


def test_a_killed_search_goes_on_where_it_was(tmp_path: Path) -> None:
    rng = random.Random(3)
    wanted = Wanted(NUMBER - (8 << 20), NUMBER, pairs(KEY, rng))

    class Ended(Scripted):
        def run(self, *arguments: object) -> list[object]:
            if len(self.asked) == 5:
                raise KeyboardInterrupt
            return super().run(*arguments)  # type: ignore[arg-type]

    state = tmp_path / "state.json"
    first = Search(wanted, state, unit_keys=1 << 20)
    with pytest.raises(KeyboardInterrupt):
        first.run(Threads(Ended([]), 1), lambda progress: None)  # type: ignore[arg-type]
    done = json.loads(state.read_text())["next"]
    assert wanted.first < done < wanted.last
    told: list[Progress] = []
    lib = Scripted([NUMBER])
    again = Search(wanted, state, unit_keys=1 << 20)
    assert again.run(Threads(lib, 1), told.append) == (KEY,)  # type: ignore[arg-type]
    assert min(first for first, _ in lib.asked) == done
    assert told[-1].done == told[-1].total == (8 << 20) + 1
    assert told[-1].now == wanted.last + 1 - done
    other = Search(Wanted(1, 2, wanted.pairs), state)
    with pytest.raises(InputError, match="is the state of another search"):
        other.run(Threads(lib, 1), told.append)  # type: ignore[arg-type]


def test_each_processor_has_its_variant() -> None:
    for name, features in FEATURES.items():
        assert key_search.variant(features).name == name


def test_command_finds_a_key(capsys: Capture, tmp_path: Path) -> None:
    block = "0123456789abcdef"
    argv = ["search-keys", "--pt", block, "--ct", fast.encrypt(KEY, bytes.fromhex(block)).hex()]
    argv += ["--from", spec.key_of(NUMBER - 99).hex(), "--to", spec.key_of(NUMBER + 99).hex()]
    argv += ["--state", str(tmp_path / "s.json"), "--threads", "1"]
    assert main([*argv, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["command"], found["keys"]) == ("search-keys", [KEY.hex()])
    assert main([*argv[:-4], "--to", KEY.hex(), "--from", KEY.hex()]) == 0
    assert capsys.readouterr().out == f"{KEY.hex()}\n"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            "--pt 00 --ct 0000000000000000",
            "--pt: 1 bytes, not 8: '00'",
        ),
        ("--pt 0000000000000000 --ct zz", "--ct: not hexadecimal: 'zz'"),
        (
            "--pt 0000000000000000 --ct 0000000000000000 --pt2 0000000000000000",
            "--ct2: missing\n  a pair is a plaintext and its ciphertext",
        ),
        (
            "--pt 0000000000000000 --ct 0000000000000000 --from 0000000000000200 --to 00"
            + "00" * 7,
            "--to: 0000000000000000 comes before --from 0000000000000200\n"
            "  a range is from its first to its last key",
        ),
        (
            "--pt 0000000000000000 --ct 0000000000000000 --engines 2",
            "--engines: 72057594037927936 keys are too many to simulate\n  at most 4194304",
        ),
        (
            "--pt 0000000000000000 --ct 0000000000000000 --engines 3",
            "--engines: must be 1, 2 or a multiple of 4 up to 64, not 3",
        ),
        (
            "--pt 0000000000000000 --ct 0000000000000000 --target ecp5-85k",
            "--target: needs --engines\n  how many are to be placed",
        ),
        (
            "--pt 0000000000000000 --ct 0000000000000000 --to 0000000000000010 --engines 32 "
            "--target ecp5-85k",
            "--engines: no design of 32 engines is proven\n"
            "  there are: rtl, rtl-2, rtl-4, rtl-8, rtl-12, rtl-16, rtl-20, rtl-24",
        ),
        (
            "--pt 0000000000000000 --ct 0000000000000000 --threads 0",
            "--threads: must be at least 1, not 0",
        ),
    ],
)
def test_bad_input_is_refused(options: str, message: str, capsys: Capture) -> None:
    assert main(["search-keys", *options.split()]) == 2
    assert capsys.readouterr().err == f"lydite: {message}\n"

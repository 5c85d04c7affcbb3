# SPDX-License-Identifier: Apache-2.0
"""Chains come out as the published files say, step by step."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path

import pytest

from lydite.cores import kat
from lydite.cores.kat import Chain, Vector
from lydite.cores.kat.ctr_drbg import cipher, key_expansion
from lydite.cores.keccak import spec
from lydite.cores.operation import Operation

Make = Callable[..., Operation]
KECCAK = Path(spec.__file__).parent / "kat"


def first(chain: Chain, call: kat.Call, points: int) -> list[tuple[Mapping[str, bytes], ...]]:
    """Give what was to come out at the first checkpoints, and what did."""
    found = itertools.islice(kat.run(chain, call), points)
    return [(point.fields, dict(outputs)) for point, outputs in found]


def right(chain: Chain, call: kat.Call, points: int = 2) -> bool:
    """Whether the first checkpoints come out right; two show what follows from the first."""
    found = first(chain, call, points)
    assert len(found) == points
    return all(expected == got for expected, got in found)


def test_hash(make: Make) -> None:
    def call(name: str, inputs: Mapping[str, bytes], lengths: tuple[int, ...]) -> dict[str, bytes]:
        assert (name, lengths) == ("hash", (32,))
        return {"output": hashlib.sha3_256(inputs["message"]).digest()}

    operation = make("hash", {"message": None}, {"output": 32})
    path = KECCAK / "SHA3_256Monte.rsp"
    [chain] = kat.chains_of(path, "cavp-chain", [operation], 100).chains
    assert right(chain, call)


def test_xof(make: Make) -> None:
    def call(name: str, inputs: Mapping[str, bytes], lengths: tuple[int, ...]) -> dict[str, bytes]:
        return {"output": hashlib.shake_128(inputs["message"]).digest(*lengths)}

    operation = make("hash", {"message": None}, {"output": None})
    path = KECCAK / "SHAKE128Monte.rsp"
    [chain] = kat.chains_of(path, "cavp-chain", [operation], 100).chains
    assert right(chain, call)


def test_contest(data: Path, hashing: tuple[Operation, ...]) -> None:
    def call(name: str, inputs: Mapping[str, bytes], lengths: tuple[int, ...]) -> dict[str, bytes]:
        # Keccak of round 2: a one, then the length of the digest and of a block, then a one.
        block = (inputs["message"] + bytes([0x01, 32, 136, 0x01])).ljust(200, b"\0")
        words = [int.from_bytes(block[at : at + 8], "little") for at in range(0, 200, 8)]
        lanes = spec.keccak_f1600(tuple(words))
        return {"digest": b"".join(lane.to_bytes(8, "little") for lane in lanes)[:32]}

    [chain] = kat.chains_of(data / "contest_mct.txt", "contest-mct", hashing, 2).chains
    assert right(chain, call, 1)  # this Keccak takes seconds


@pytest.fixture(scope="session")
def encrypting(make: Make) -> Callable[[int, int], tuple[Operation, ...]]:
    """Give a function that makes a cipher of blocks."""

    def _make(key: int, block: int) -> tuple[Operation, ...]:
        return (make("encrypt", {"key": key, "plaintext": block}, {"ciphertext": block}),)

    return _make


def test_cipher(data: Path, encrypting: Callable[..., tuple[Operation, ...]]) -> None:
    expanded = lru_cache(key_expansion)

    def call(name: str, inputs: Mapping[str, bytes], lengths: tuple[int, ...]) -> dict[str, bytes]:
        assert (name, lengths) == ("encrypt", (16,))
        return {"ciphertext": cipher(inputs["plaintext"], expanded(inputs["key"]))}

    path = data / "aes_mct.rsp"
    [chain] = kat.chains_of(path, "cavp-cipher-mct", encrypting(16, 16), 2, 2).chains
    assert right(chain, call)


@pytest.mark.parametrize("key_bytes", [24, 32])
def test_longer_keys_of_the_cipher_take_the_last_outputs(key_bytes: int) -> None:
    """AESAVS 6.4.1: 64 bits of the last output but one, or all of it, before the last one."""
    keys = []

    def call(name: str, inputs: Mapping[str, bytes], lengths: tuple[int, ...]) -> dict[str, bytes]:
        keys.append(inputs["key"])
        return {"out": bytes([len(keys)]) * 16}

    chain = Chain(
        operation="encrypt",
        rule="cipher",
        start={"key": bytes(key_bytes), "text": bytes(16)},
        text="text",
        key="key",
        checkpoints=(Vector(operation="encrypt", fields={"out": b""}),) * 2,
        steps=3,
        output_range=(16, 16),
    )
    assert len(list(kat.run(chain, call))) == 2
    assert keys == [bytes(key_bytes)] * 3 + [b"\2" * (key_bytes - 16) + b"\3" * 16] * 3


@pytest.mark.parametrize(
    ("option", "key_bytes"), [("1", 8), ("1", 16), ("1", 24), ("2", 16), ("2", 24), ("3", 24)]
)
def test_tdes(
    data: Path,
    encrypting: Callable[..., tuple[Operation, ...]],
    option: str,
    key_bytes: int,
) -> None:
    """The file says what the second step begins with, and so the last three outputs before it."""
    path = data / f"des_monte{option}.rsp"
    operations = encrypting(key_bytes, 8)
    [chain] = kat.chains_of(path, "cavp-cipher-mct", operations, 2, 2).chains
    first, second = kat.vectors(path, "cavp-cipher", operations, 2, 2).vectors
    delta = bytes(
        a ^ b for a, b in zip(first.fields["key"], second.fields["key"], strict=True)
    ).ljust(24, b"\0")
    last = {9_998: delta[16:], 9_999: delta[8:16], 10_000: first.fields["ciphertext"]}
    seen: list[Mapping[str, bytes]] = []

    def call(name: str, inputs: Mapping[str, bytes], lengths: tuple[int, ...]) -> dict[str, bytes]:
        seen.append(inputs)
        return {"ciphertext": last.get(len(seen), bytes(8))}

    [(_, output), _] = kat.run(chain, call)
    assert output == {"ciphertext": first.fields["ciphertext"]}
    assert len(seen) == 2 * 10_000
    start = ("key", "plaintext")
    assert seen[0] == {name: first.fields[name] for name in start}
    assert seen[9_999] == {"key": first.fields["key"], "plaintext": last[9_999]}
    assert seen[10_000] == {name: second.fields[name] for name in start}


def test_chain_goes_on_with_what_came_out(hashing: tuple[Operation, ...], data: Path) -> None:
    [chain] = kat.chains_of(data / "contest_mct.txt", "contest-mct", hashing, 2).chains
    found = first(chain, lambda name, inputs, lengths: {"digest": bytes(32)}, 2)
    assert [got for _, got in found] == [{"digest": bytes(32)}] * 2
    assert all(expected != got for expected, got in found)


def test_contest_puts_the_digest_before_the_last_message() -> None:
    messages = []

    def call(name: str, inputs: Mapping[str, bytes], lengths: tuple[int, ...]) -> dict[str, bytes]:
        messages.append(inputs["message"])
        return {"digest": bytes([len(messages)]) * 4}

    chain = Chain(
        operation="hash",
        rule="contest",
        start={"message": bytes(range(10))},
        text="message",
        checkpoints=(Vector(operation="hash", fields={"digest": b""}),) * 2,
        steps=2,
        output_range=(4, 4),
    )
    assert len(list(kat.run(chain, call))) == 2
    assert messages == [
        bytes(range(10)),
        b"\1\1\1\1" + bytes(range(6)),
        b"\2\2\2\2\1\1\1\1\0\1",
        b"\3\3\3\3\2\2\2\2\1\1",
    ]

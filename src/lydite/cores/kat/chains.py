# SPDX-License-Identifier: Apache-2.0
"""The steps of Monte Carlo chains, for whatever computes: a specification, software, a model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from lydite.cores.kat.vectors import Chain, Vector

# Called with the name of an operation, its inputs by name, and the lengths of its outputs in bytes,
# in their order; gives the outputs by name.
Call = Callable[[str, Mapping[str, bytes], tuple[int, ...]], Mapping[str, bytes]]
Steps = Iterator[tuple[Vector, Mapping[str, bytes]]]


def run(chain: Chain, call: Call) -> Steps:
    """Run a chain; after the steps of each checkpoint, give it and the outputs that came out.

    The chain goes on with what came out, right or wrong: the caller compares, and stops.
    """
    return RULES[chain.rule](chain, call)


def _output(chain: Chain) -> str:
    """Give the name of the one output."""
    [name] = chain.checkpoints[0].fields
    return name


def _hash(chain: Chain, call: Call) -> Steps:
    """SHA3VS 6.2.3: the next message is the digest."""
    name, message = _output(chain), chain.start[chain.text]
    for checkpoint in chain.checkpoints:
        outputs: Mapping[str, bytes] = {}
        for _ in range(chain.steps):
            outputs = call(chain.operation, {chain.text: message}, chain.output_range[:1])
            message = outputs[name]
        yield checkpoint, outputs


def _xof(chain: Chain, call: Call) -> Steps:
    """SHA3VS 6.3.3: the next message is the first 128 bits of the output; its last 16 bits choose
    the next length. The first is the greatest.
    """
    name, message = _output(chain), chain.start[chain.text]
    low, high = chain.output_range
    length = high
    for checkpoint in chain.checkpoints:
        outputs: Mapping[str, bytes] = {}
        for _ in range(chain.steps):
            outputs = call(chain.operation, {chain.text: message}, (length,))
            message = outputs[name][:16].ljust(16, b"\0")
            length = low + int.from_bytes(outputs[name][-2:], "big") % (high - low + 1)
        yield checkpoint, outputs


def _contest(chain: Chain, call: Call) -> Steps:
    """NIST's SHA-3 contest: the next message is the digest before the first bytes of the last one,
    of the same length.
    """
    name, message = _output(chain), chain.start[chain.text]
    for checkpoint in chain.checkpoints:
        outputs: Mapping[str, bytes] = {}
        for _ in range(chain.steps):
            outputs = call(chain.operation, {chain.text: message}, chain.output_range[:1])
            message = (outputs[name] + message)[: len(message)]
        yield checkpoint, outputs


def _cipher(chain: Chain, call: Call) -> Steps:
    """AESAVS 6.4.1 (ECB): the next text is the output; after a checkpoint, as many of the last
    bytes that came out as the key has are added to it.
    """
    return _keyed(chain, call, _next_aes_key)


def _tdes(chain: Chain, call: Call) -> Steps:
    """SP 800-20, Monte Carlo tests of TECB: the next text is the output; after a checkpoint, the
    last outputs are added to the keys, whose parity is then made odd.
    """
    return _keyed(chain, call, _next_tdes_key)


def _keyed(chain: Chain, call: Call, next_key: Callable[[bytes, list[bytes]], bytes]) -> Steps:
    name, inputs = _output(chain), dict(chain.start)
    for checkpoint in chain.checkpoints:
        outputs: Mapping[str, bytes] = {}
        last: list[bytes] = []
        for _ in range(chain.steps):
            outputs = call(chain.operation, dict(inputs), chain.output_range[:1])
            inputs[chain.text] = outputs[name]
            last = [*last[-2:], outputs[name]]
        yield checkpoint, outputs
        inputs[chain.key] = next_key(inputs[chain.key], last)


def _next_aes_key(key: bytes, last: list[bytes]) -> bytes:
    return _xor(key, b"".join(last)[-len(key) :])


def _next_tdes_key(key: bytes, last: list[bytes]) -> bytes:
    """Add to each key that differs from the first its own output: the last but one, the one before
    that; equal keys stay equal.
    """
    keys = [key[at : at + 8] for at in range(0, len(key), 8)]
    added = [last[-1] if one == keys[0] else last[-1 - at] for at, one in enumerate(keys)]
    return bytes(_odd(byte) for byte in _xor(key, b"".join(added)))


def _odd(byte: int) -> int:
    """Set the last bit so that the number of ones is odd."""
    return byte ^ (byte.bit_count() + 1) % 2


def _xor(a: bytes, b: bytes) -> bytes:
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


RULES: Mapping[str, Callable[[Chain, Call], Steps]] = MappingProxyType(
    {"hash": _hash, "xof": _xof, "contest": _contest, "cipher": _cipher, "tdes": _tdes}
)

# SPDX-License-Identifier: Apache-2.0
"""Calls of Dilithium2 under one secret and under others, and the loops that they run.

What is public is drawn alike on both sides: messages, and of signing the seed rho of the matrix,
which is one for all key pairs. In key generation the seed is all there is, and rho follows of it;
there the loop counted is that which samples secrets (ExpandS).
"""

from __future__ import annotations

import hashlib
import random

from lydite.cores.dilithium import spec

# Bytes of a message, as in the designers' first record.
MESSAGE_BYTES = 33
_RHO = hashlib.shake_256(b"the matrix of all keys").digest(32)
# Bytes of a block of SHAKE256, and for how many bytes' candidates a second one takes, of which a
# few bytes are wanted: the permutation beside them, and what stands around it in the schedule.
_RATE, _SECOND = 136, 29


def inputs(operation: str, secret: random.Random, public: random.Random) -> tuple[bytes, ...]:
    """Draw the inputs of a call of `keygen` or `sign`."""
    if operation == "keygen":
        return (secret.randbytes(spec.SEED_BYTES),)
    pair = spec.key_pair(_RHO, secret.randbytes(64), secret.randbytes(32), spec.ROUND3)
    return pair[1], public.randbytes(MESSAGE_BYTES)


def loops(operation: str, given: tuple[bytes, ...], answer: tuple[bytes, ...]) -> int:
    """Count the rounds of the scheme's own loop: bytes of ExpandS, or attempts of a signature."""
    if operation == "keygen":
        expanded = hashlib.shake_256(given[0]).digest(128)
        return sum(_sampled(expanded[32:96], number) for number in range(spec.L + spec.K))
    return _attempts(*given, *answer)


def _sampled(seed: bytes, number: int) -> int:
    """Count the bytes of a block of which a polynomial of ExpandS comes, or a second one."""
    shake = hashlib.shake_256(seed + number.to_bytes(2, "little"))
    count = 0
    for taken, byte in enumerate(shake.digest(8 * _RATE), 1):
        count += (byte & 15 < 15) + (byte >> 4 < 15)
        if count >= spec.N:
            return taken if taken <= _RATE else _RATE + _SECOND
    raise AssertionError("a byte in eight has no candidate, at most")


def _attempts(secret_key: bytes, message: bytes, signature: bytes) -> int:
    """Find the attempt whose mask is z - c s1."""
    at = 64 + spec.ROUND3.tr_bytes
    s1 = spec.bit_unpack(secret_key[at : at + 96], 3, spec.ETA)
    c = spec.ntt(spec.sample_in_ball(signature[: spec.C_BYTES]))
    z = spec.bit_unpack(signature[spec.C_BYTES : spec.C_BYTES + 576], 18, spec.GAMMA1)
    mask = spec.subtract(z, spec.inverse_ntt(spec.multiply(c, spec.ntt(s1))))
    mu = spec.message_representative(secret_key[64:at], message)
    rho_prime = hashlib.shake_256(secret_key[32:64] + mu).digest(64)
    for attempt in range(1, 1 << 14):
        seed = rho_prime + (spec.L * (attempt - 1)).to_bytes(2, "little")
        drawn = spec.bit_unpack(hashlib.shake_256(seed).digest(576), 18, spec.GAMMA1)
        if [value % spec.Q for value in drawn] == mask:
            return attempt
    raise AssertionError("a signature is of one of its attempts")

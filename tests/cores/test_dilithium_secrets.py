# SPDX-License-Identifier: Apache-2.0
"""Key pairs of one matrix that are valid, and rounds of the scheme's own loops that are right."""

from __future__ import annotations

import random

from lydite.cores.dilithium import secrets, spec
from lydite.studies import dilithium2_calls


def test_keys_of_one_matrix_sign_what_verifies() -> None:
    public = random.Random(0)
    keys, messages = zip(
        *(secrets.inputs("sign", random.Random(n), public) for n in (1, 1, 2)), strict=True
    )
    assert keys[0] == keys[1] != keys[2]
    assert len({key[:32] for key in keys}) == 1
    assert len(set(messages)) == 3
    assert spec.dilithium2_sign(keys[0], messages[0])


def test_a_key_pair_of_its_parts_is_that_of_the_scheme() -> None:
    """The private key opens with rho, and its signatures verify under the public one."""
    public_key, secret_key = spec.key_pair(bytes(32), bytes(64), bytes(32), spec.ROUND3)
    signature = spec.dilithium2_sign(secret_key, b"m")
    assert spec.dilithium2_verify(public_key, b"m", signature) == ()
    assert spec.dilithium2_verify(public_key, b"n", signature) is None


def test_attempts_are_counted() -> None:
    """The first record signs at its counted attempt: another mask gives another z."""
    [one] = dilithium2_calls.made(1)
    given, answer = (one["secret_key"], one["message"]), (one["signature"],)
    calls: list[int] = []
    mask = spec.expand_mask

    def counted(seed: bytes, kappa: int) -> spec.Vector:
        calls.append(kappa)
        return mask(seed, kappa)

    spec.expand_mask = counted
    try:
        spec.dilithium2_sign(*given)
    finally:
        spec.expand_mask = mask
    assert secrets.loops("sign", given, answer) == len(calls)


def test_bytes_of_secrets_are_counted() -> None:
    """128 bytes at least for each of eight polynomials, or a block and the next one."""
    counts = {secrets.loops("keygen", (bytes([n]) * 32,), ()) for n in range(20)}
    assert min(counts) >= 8 * 128
    assert max(counts) <= 8 * (136 + 29)
    assert len(counts) > 10

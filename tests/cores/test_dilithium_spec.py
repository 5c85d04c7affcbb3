# SPDX-License-Identifier: Apache-2.0
"""The Dilithium reference against the designers' known answers and NIST's."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lydite.cores import catalog
from lydite.cores.dilithium import spec
from lydite.cores.kat.ctr_drbg import CtrDrbg

PREFIXES = {"dilithium2": "dilithium2", "ml-dsa-44": "ml_dsa"}
KAT = Path(spec.__file__).parent / "kat"
# SHA-256 of PQCsignKAT_Dilithium2.rsp of version 3.1, signatures deterministic.
PUBLISHED = "38ed991c5ca11e39ab23945ca37af89e059d16c5474bf8ba96b15cb4e948af2a"
PUBLIC_KEY, SECRET_KEY = spec.dilithium2_keygen(bytes(range(32)))
SIGNATURE = spec.dilithium2_sign(SECRET_KEY, b"abc")
STANDARD_KEYS = spec.ml_dsa_keygen(bytes(range(32)))


@pytest.mark.parametrize("name", list(PREFIXES))
def test_known_answers(name: str) -> None:
    primitive = catalog.primitive(name)
    vectors = primitive.vectors()
    assert len(vectors) == {"dilithium2": 3 * 20, "ml-dsa-44": 25 + 10 + 6}[name]
    for vector in vectors:
        operation = primitive.operation(vector.operation)
        function = getattr(spec, f"{PREFIXES[name]}_{vector.operation}")
        found = function(*(vector.fields[field] for field in operation.input_names))
        right = tuple(vector.fields[field] for field in operation.output_names)
        found = (found,) if isinstance(found, bytes) else found
        assert found == (right if vector.accepted else None), vector.where


def inner_tests(name: str) -> Iterator[dict[str, Any]]:
    """Give ACVP's tests of the inner functions, which take mu, or the message with its prefix."""
    text = (KAT / f"ML-DSA-44-{name}.acvp.json").read_text()
    for group in json.loads(text)["testGroups"]:
        if group["signatureInterface"] == "internal":
            yield from group["tests"]


def mu_of(test: dict[str, Any], tr: bytes) -> bytes:
    if "mu" in test:
        return bytes.fromhex(test["mu"])
    return spec.message_representative(tr, bytes.fromhex(test["message"]))


def test_inner_known_answers_of_signing() -> None:
    """Half of them are given mu, half of them are hedged."""
    tests = list(inner_tests("sigGen"))
    assert len(tests) == 20
    for test in tests:
        key = bytes.fromhex(test["sk"])
        random = bytes.fromhex(test.get("rnd", "00" * 32))
        found = spec.sign_internal(key, mu_of(test, key[64:128]), random, spec.FIPS204)
        assert found.hex().upper() == test["signature"], test["tcId"]


def test_inner_known_answers_of_verifying() -> None:
    tests = list(inner_tests("sigVer"))
    assert len(tests) == 14
    assert {test["testPassed"] for test in tests} == {True, False}
    for test in tests:
        key = bytes.fromhex(test["pk"])
        mu = mu_of(test, hashlib.shake_256(key).digest(64))
        found = spec.verify_internal(key, mu, bytes.fromhex(test["signature"]))
        assert found == test["testPassed"], test["tcId"]


def kat_file(records: int) -> str:
    """Write the beginning of the designers' file as NIST's frame does: seeds and messages of a
    generator with the seed 00 01 ... 2f, of the lengths 33, 66, 99...; all else by each seed's own.
    """
    generator = CtrDrbg(bytes(range(48)))
    lines = ["# Dilithium2", ""]
    for count in range(records):
        seed = generator.random(48)
        message = generator.random(33 * (count + 1))
        public_key, secret_key = spec.dilithium2_keygen(CtrDrbg(seed).random(32))
        signed = spec.dilithium2_sign(secret_key, message) + message
        values = (
            ("count", count),
            ("seed", seed),
            ("mlen", len(message)),
            ("msg", message),
            ("pk", public_key),
            ("sk", secret_key),
            ("smlen", len(signed)),
            ("sm", signed),
        )
        for name, value in values:
            lines.append(f"{name} = {value.hex().upper() if isinstance(value, bytes) else value}")
        lines.append("")
    return "\n".join([*lines, ""])


def test_file_begins_as_the_generator_makes_it() -> None:
    """Our copy has a line more, which says that it is cut."""
    kept = (KAT / "PQCsignKAT_Dilithium2_v3.1.rsp").read_text().splitlines()
    made = kat_file(3).rstrip().splitlines()
    assert kept[1].startswith("# TRIMMED")
    assert [kept[0], *kept[2 : 1 + len(made)]] == made


@pytest.mark.slow
def test_whole_file_is_the_published_one() -> None:
    assert hashlib.sha256(kat_file(100).encode()).hexdigest() == PUBLISHED


def flipped(value: bytes, bit: int) -> bytes:
    return (int.from_bytes(value, "little") ^ 1 << bit).to_bytes(len(value), "little")


def test_what_was_signed_verifies() -> None:
    assert spec.dilithium2_verify(PUBLIC_KEY, b"abc", SIGNATURE) == ()


# Bits all over c_tilde, z, the places of hints and their ends.
@pytest.mark.parametrize(
    "bit", [0, 255, 256, 4000, 8 * 2335 + 7, 8 * 2336, 8 * 2415 + 7, 8 * 2416, 8 * 2420 - 1]
)
def test_signature_with_a_wrong_bit_is_rejected(bit: int) -> None:
    assert spec.dilithium2_verify(PUBLIC_KEY, b"abc", flipped(SIGNATURE, bit)) is None


@pytest.mark.parametrize("bit", [0, 255, 256, 8 * 1312 - 1])
def test_key_with_a_wrong_bit_is_rejected(bit: int) -> None:
    assert spec.dilithium2_verify(flipped(PUBLIC_KEY, bit), b"abc", SIGNATURE) is None


@pytest.mark.parametrize("message", [b"", b"abd", b"abc\0", b"ab"])
def test_other_message_is_rejected(message: bytes) -> None:
    assert spec.dilithium2_verify(PUBLIC_KEY, message, SIGNATURE) is None


@pytest.mark.parametrize("length", [0, 1, 32, 2419])
def test_cut_signature_is_rejected(length: int) -> None:
    assert spec.dilithium2_verify(PUBLIC_KEY, b"abc", SIGNATURE[:length]) is None


def test_long_signature_is_rejected() -> None:
    assert spec.dilithium2_verify(PUBLIC_KEY, b"abc", SIGNATURE + b"\0") is None


@pytest.mark.parametrize("length", [0, 32, 1311, 1313])
def test_key_of_another_length_is_rejected(length: int) -> None:
    key = (PUBLIC_KEY + bytes(8))[:length]
    assert spec.dilithium2_verify(key, b"abc", SIGNATURE) is None


def malformed() -> dict[str, bytes]:
    """Give signatures of which hints or z are not as a signer writes them."""
    z, ends = SIGNATURE[32 : 32 + 2304], bytearray(SIGNATURE[-4:])
    places = bytearray(SIGNATURE[2336:2416])
    assert ends[0] >= 2, "the first polynomial has two hints"
    swapped = bytearray(places)
    swapped[0], swapped[1] = places[1], places[0]
    twice = bytearray(places)
    twice[1] = places[0]
    trailing = bytearray(places)
    trailing[-1] = 1
    assert ends[3] < 80
    back = bytes([*ends[:1], ends[0] - 1, *ends[2:]])
    beyond = bytes([*ends[:3], 81])
    head = SIGNATURE[:2336]
    # gamma1 - beta is the first value that is too large: packed as beta, or as 2 gamma1 - beta.
    large = (int.from_bytes(z, "little") & ~0x3FFFF | spec.BETA).to_bytes(2304, "little")
    small = int.from_bytes(z, "little") & ~0x3FFFF | (2 * spec.GAMMA1 - spec.BETA)
    return {
        "hints out of order": head + swapped + ends,
        "a hint twice": head + twice + ends,
        "a place behind the last hint": head + trailing + ends,
        "an end before the one before": head + places + back,
        "an end beyond 80": head + places + beyond,
        "z at its upper bound": SIGNATURE[:32] + large + SIGNATURE[-84:],
        "z at its lower bound": SIGNATURE[:32] + small.to_bytes(2304, "little") + SIGNATURE[-84:],
    }


@pytest.mark.parametrize("name", list(malformed()))
def test_malformed_signature_is_rejected(name: str) -> None:
    assert spec.dilithium2_verify(PUBLIC_KEY, b"abc", malformed()[name]) is None


def test_malformed_hints_are_seen_before_all_else() -> None:
    refused = [name for name, s in malformed().items() if spec.hint_bit_unpack(s[-84:]) is None]
    assert refused == list(malformed())[:5]


def test_hints_are_packed_as_they_are_unpacked() -> None:
    hints = spec.hint_bit_unpack(SIGNATURE[-84:])
    assert hints is not None
    assert spec.hint_bit_pack(hints) == SIGNATURE[-84:]


@pytest.mark.parametrize("length", [0, 1, 65536], ids=lambda length: f"{length} bytes")
def test_messages_of_any_length(length: int) -> None:
    message = bytes(i * 7 & 0xFF for i in range(length))
    signature = spec.dilithium2_sign(SECRET_KEY, message)
    assert spec.dilithium2_verify(PUBLIC_KEY, message, signature) == ()
    assert spec.dilithium2_verify(PUBLIC_KEY, message + b"\0", signature) is None


@pytest.mark.parametrize("length", [0, 1, 255], ids=lambda length: f"{length} bytes")
def test_contexts_of_any_length(length: int) -> None:
    public_key, secret_key = STANDARD_KEYS
    context = bytes(range(length))
    signature = spec.ml_dsa_sign(secret_key, context, b"abc", bytes(32))
    assert spec.ml_dsa_verify(public_key, context, b"abc", signature) == ()
    assert spec.ml_dsa_verify(public_key, context + b"a", b"bc", signature) is None


def test_context_of_256_bytes_is_refused() -> None:
    public_key, secret_key = STANDARD_KEYS
    with pytest.raises(ValueError, match=r"^a context has at most 255 bytes, not 256$"):
        spec.ml_dsa_sign(secret_key, bytes(256), b"abc", bytes(32))
    signature = spec.ml_dsa_sign(secret_key, bytes(255), b"abc", bytes(32))
    assert spec.ml_dsa_verify(public_key, bytes(256), b"abc", signature) is None


def test_hedged_signatures_differ_and_verify() -> None:
    public_key, secret_key = STANDARD_KEYS
    found = {spec.ml_dsa_sign(secret_key, b"", b"abc", bytes([n] * 32)) for n in range(3)}
    assert len(found) == 3
    assert all(spec.ml_dsa_verify(public_key, b"", b"abc", one) == () for one in found)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: spec.dilithium2_keygen(bytes(31)), "a seed has 32 bytes, not 31"),
        (lambda: spec.ml_dsa_keygen(bytes(33)), "a seed has 32 bytes, not 33"),
        (lambda: spec.dilithium2_sign(bytes(2560), b""), "a secret key has 2528 bytes, not 2560"),
        (
            lambda: spec.ml_dsa_sign(bytes(2528), b"", b"", bytes(32)),
            "a secret key has 2560 bytes, not 2528",
        ),
        (
            lambda: spec.ml_dsa_sign(STANDARD_KEYS[1], b"", b"", b""),
            "random has 32 bytes, not 0",
        ),
    ],
)
def test_input_of_another_length_is_refused(call: Callable[[], object], message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()


def test_transform_turns_products_into_products_of_values() -> None:
    """The product of polynomials modulo X^256 + 1, by the definition (2.3)."""
    a = [(i * i * 4099 + i * 7919 + 12345) % spec.Q for i in range(spec.N)]
    b = [(i * 65537 + 991) % spec.Q for i in range(spec.N)]
    product = [0] * spec.N
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            sign = 1 if i + j < spec.N else -1
            product[(i + j) % spec.N] = (product[(i + j) % spec.N] + sign * x * y) % spec.Q
    assert spec.inverse_ntt(spec.multiply(spec.ntt(a), spec.ntt(b))) == product


def test_high_and_low_bits_are_of_their_number() -> None:
    edges = [0, 1, spec.GAMMA2, spec.GAMMA2 + 1, spec.Q - 1, spec.Q - spec.GAMMA2, 4095, 4096, 4097]
    for r in (*edges, *range(0, spec.Q, 99991)):
        high, low = spec.decompose(r)
        assert 0 <= high < 44
        assert abs(low) <= spec.GAMMA2
        assert (2 * spec.GAMMA2 * high + low - r) % spec.Q == 0
        top, rest = spec.power2round(r)
        assert -4096 < rest <= 4096
        assert (top << 13) + rest == r
        for z in (-1, 0, 1, spec.GAMMA2 - 1):
            hint = spec.make_hint(z % spec.Q, r)
            assert spec.use_hint(hint, r) == spec.decompose((r + z) % spec.Q)[0]

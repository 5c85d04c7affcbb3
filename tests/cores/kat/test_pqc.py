# SPDX-License-Identifier: Apache-2.0
"""Files of NIST's contest for post-quantum signatures, and its generator of random bytes."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lydite.cores import kat
from lydite.cores.kat.ctr_drbg import CtrDrbg, cipher, key_expansion
from lydite.cores.operation import Operation

Make = Callable[..., Operation]
Refusal = Callable[..., str]
LACKS = "the file is cut short, or of another format"


@pytest.fixture(scope="session")
def dilithium(make: Make) -> tuple[Operation, ...]:
    """Give the operations of Dilithium2, round 3."""
    return (
        make("keygen", {"seed": 32}, {"public_key": 1312, "secret_key": 2528}),
        make("sign", {"secret_key": 2528, "message": None}, {"signature": 2420}),
        make(
            "verify",
            {"public_key": 1312, "message": None, "signature": 2420},
            {},
            rejects=True,
        ),
    )


def test_record_gives_a_call_of_each_kind(data: Path, dilithium: tuple[Operation, ...]) -> None:
    read = kat.vectors(data / "pqc_sign.rsp", "pqc-sign", dilithium, 1)
    keygen, sign, verify = read.vectors
    assert (keygen.operation, sign.operation, verify.operation) == ("keygen", "sign", "verify")
    assert read.records == 1
    assert verify.accepted
    assert sign.fields["message"].hex().startswith("d81c4d8d734fcbfb")
    assert sign.fields["signature"].hex().startswith("af5920774603d20e")
    assert sign.fields["signature"] == verify.fields["signature"]
    assert keygen.fields["secret_key"] == sign.fields["secret_key"]
    assert keygen.fields["public_key"] == verify.fields["public_key"]
    # Keys of Dilithium begin with the first 32 bytes of SHAKE256 of their seed (figure 4, line 2).
    rho = hashlib.shake_256(keygen.fields["seed"]).digest(32)
    assert keygen.fields["public_key"].startswith(rho)


def test_primitive_may_verify_alone(data: Path, dilithium: tuple[Operation, ...]) -> None:
    read = kat.vectors(data / "pqc_sign.rsp", "pqc-sign", dilithium[2:], 1)
    assert [vector.operation for vector in read.vectors] == ["verify"]


def test_primitive_without_signatures_has_no_record(
    data: Path, refusal: Refusal, hashing: tuple[Operation, ...]
) -> None:
    told = refusal((data / "pqc_sign.rsp").read_text(), "pqc-sign", hashing, 1)
    assert told == "FILE: no record of the primitive's operations\n  see `format`"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(where=st.floats(0, 1, exclude_max=True))
def test_file_cut_anywhere_is_refused(
    data: Path, refusal: Refusal, dilithium: tuple[Operation, ...], where: float
) -> None:
    text = (data / "pqc_sign.rsp").read_text().rstrip()
    refusal(text[: int(where * len(text))], "pqc-sign", dilithium, 1)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("mlen = 33", "mlen = 32", "FILE:3: mlen is 32 bytes, msg has 33\n  the file is cut short"),
        (
            "smlen = 2453",
            "smlen = 2454",
            "FILE:3: smlen is 2454 bytes, sm has 2453\n  the file is cut short",
        ),
        ("smlen = 2453\n", "", f"FILE:3: the record lacks smlen\n  {LACKS}"),
        (
            "msg = D8",
            "msg = D9",
            "FILE:3: sm does not end with msg\n  this format is of signatures before their message",
        ),
        ("seed = 0615", "seed = 15", "FILE:3: seed has 47 bytes, not 48"),
        ("count = 0\n", "", "FILE:3: seed before count of a record"),
        (
            "\npk = 1C",
            "\npk = ",
            "FILE: a.txt:3: public_key has 1311 bytes, not 1312\n"
            "  the file is cut short, or core.toml says a wrong length",
        ),
    ],
)
def test_bad_record_is_refused(
    data: Path,
    refusal: Refusal,
    dilithium: tuple[Operation, ...],
    old: str,
    new: str,
    message: str,
) -> None:
    text = (data / "pqc_sign.rsp").read_text()
    assert text.count(old) == 1
    assert refusal(text.replace(old, new), "pqc-sign", dilithium, 1) == message


def test_random_signing_is_refused(data: Path, refusal: Refusal, make: Make) -> None:
    inputs = {"secret_key": 2528, "message": None, "random": 32}
    text = (data / "pqc_sign.rsp").read_text()
    told = refusal(text, "pqc-sign", [make("sign", inputs, {"signature": 2420})], 1)
    assert told.splitlines()[0] == "FILE:3: no value for random of sign"


def test_seed_must_have_a_length(data: Path, refusal: Refusal, make: Make) -> None:
    operation = make("keygen", {"seed": None}, {"public_key": 1312, "secret_key": 2528})
    assert refusal((data / "pqc_sign.rsp").read_text(), "pqc-sign", [operation], 1) == (
        "FILE:3: keygen has no seed of a fixed length\n  the field may be named seed, xi or zeta"
    )


def test_generator_gives_what_the_file_begins_with(data: Path) -> None:
    """NIST's frame takes seeds and messages from a generator whose seed is 00 01 02 ... 2F."""
    values = dict(
        line.split(" = ") for line in (data / "pqc_sign.rsp").read_text().splitlines()[2:]
    )
    generator = CtrDrbg(bytes(range(48)))
    assert generator.random(48).hex().upper() == values["seed"]
    assert generator.random(33).hex().upper() == values["msg"]


@pytest.mark.parametrize(
    ("key_bytes", "expected"),
    [
        (16, "69c4e0d86a7b0430d8cdb78070b4c55a"),
        (24, "dda97ca4864cdfe06eaf70a0ec0d7191"),
        (32, "8ea2b7ca516745bfeafc49904b496089"),
    ],
)
def test_cipher_of_the_generator(key_bytes: int, expected: str) -> None:
    """FIPS 197, C.1 to C.3."""
    keys = key_expansion(bytes(range(key_bytes)))
    assert cipher(bytes.fromhex("00112233445566778899aabbccddeeff"), keys).hex() == expected

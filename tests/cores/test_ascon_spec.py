# SPDX-License-Identifier: Apache-2.0
"""The Ascon reference, and its quick twin, against the designers' and NIST's known answers."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lydite.cores.ascon import fast, spec

KAT = Path(spec.__file__).parent / "kat"
AEAD = "asconaead128_sp800-232_LWC_AEAD_KAT_128_128.txt"
HASH = "asconhash256_sp800-232_LWC_HASH_KAT_128_256.txt"
MODULES = pytest.mark.parametrize("module", [spec, fast], ids=["spec", "fast"])


def lwc(name: str) -> list[dict[str, bytes]]:
    """Read the records of a file of the lightweight cryptography competition."""
    text = (KAT / name).read_text(encoding="ascii")
    records = [
        {name: bytes.fromhex(value) for name, value in re.findall(r"(\w+) = ?([0-9A-F]*)\n", part)}
        for part in re.split(r"Count = \d+\n", text)[1:]
    ]
    assert len(records) == text.count("Count = ")
    return records


def acvp(name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Give (group, record) of each record of a file of NIST's validation program."""
    for group in json.loads((KAT / name).read_text(encoding="ascii"))["testGroups"]:
        for record in group["tests"]:
            yield group, record


@MODULES
def test_aead_of_the_designers(module: ModuleType) -> None:
    records = lwc(AEAD)
    assert len(records) == 121
    for record in records:
        key, nonce, ad, whole = (record[name] for name in ("Key", "Nonce", "AD", "CT"))
        ciphertext, tag = whole[:-16], whole[-16:]
        assert module.seal(key, nonce, ad, record["PT"]) == (ciphertext, tag)
        assert module.open_(key, nonce, ad, ciphertext, tag) == record["PT"]


@MODULES
def test_hash_of_the_designers(module: ModuleType) -> None:
    records = lwc(HASH)
    assert len(records) == 81
    for record in records:
        assert module.hash256(record["Msg"]) == record["MD"]


@MODULES
def test_aead_records_of_nist_with_whole_bytes(module: ModuleType) -> None:
    checked = 0
    for group, record in acvp("Ascon-AEAD128-SP800-232.acvp.json"):
        if any(record[name] % 8 for name in ("payloadLen", "adLen")):
            continue
        key, nonce, ad, text = (
            bytes.fromhex(record[name]) for name in ("key", "nonce", "ad", "ct")
        )
        # 4.2.1, nonce masking: the second key is added to the nonce.
        mask = bytes.fromhex(record.get("secondKey", "00" * 16))
        nonce = bytes(a ^ b for a, b in zip(nonce, mask, strict=True))
        if group["direction"] == "encrypt" or record["testPassed"]:
            # The tag is cut to its first bits (4.2.2), bit 0 of a byte first.
            ciphertext, tag = module.seal(key, nonce, ad, bytes.fromhex(record["pt"]))
            bits = (1 << record["tagLen"]) - 1
            assert ciphertext == text
            cut = int.from_bytes(tag, "little") & bits
            assert cut == int.from_bytes(bytes.fromhex(record["tag"]), "little")
            checked += 1
    assert checked == 5


@MODULES
def test_hash_records_of_nist_with_whole_bytes(module: ModuleType) -> None:
    records = [record for _, record in acvp("Ascon-Hash256-SP800-232.acvp.json")]
    whole = [record for record in records if record["len"] % 8 == 0]
    assert len(whole) == 12
    for record in whole:
        message = bytes.fromhex(record["msg"])
        assert module.hash256(message) == bytes.fromhex(record["md"])


@MODULES
def test_a_changed_bit_of_any_input_is_rejected(module: ModuleType) -> None:
    rng = random.Random(232)
    for lengths in ((0, 0), (0, 5), (16, 0), (17, 31), (3, 16)):
        inputs = [rng.randbytes(16), rng.randbytes(16), *(rng.randbytes(n) for n in lengths)]
        ciphertext, tag = module.seal(*inputs)
        good = [*inputs[:3], ciphertext, tag]
        assert module.open_(*good) == inputs[3]
        for i, value in enumerate(good):
            for at in {0, len(value) - 1} if value else ():
                bad = bytearray(value)
                bad[at] ^= 0x80
                assert module.open_(*good[:i], bytes(bad), *good[i + 1 :]) is None


def test_fast_is_the_specification() -> None:
    rng = random.Random(1)
    for ad_bytes in (0, 1, 15, 16, 17, 33):
        for message_bytes in (0, 1, 7, 8, 15, 16, 17, 32, 50):
            key, nonce = rng.randbytes(16), rng.randbytes(16)
            ad, message = rng.randbytes(ad_bytes), rng.randbytes(message_bytes)
            assert fast.seal(key, nonce, ad, message) == spec.seal(key, nonce, ad, message)
            assert fast.hash256(ad + message) == spec.hash256(ad + message)


def test_state_after_the_initial_permutation_of_the_hash_is_the_published_one() -> None:
    assert spec.permute((spec.IV_HASH256, 0, 0, 0, 0), 12) == fast._HASH_START


def test_substitution_of_each_column_is_that_of_the_table() -> None:
    # SP 800-232, 3.3: SBOX(x) for x = 0 to 31, the first word's bit the most significant.
    table = "04 0b 1f 14 1a 15 09 02 1b 05 08 12 1d 03 06 1c"
    table += " 1e 13 07 0e 00 0d 11 18 10 0c 01 19 16 0a 0f 17"
    for x, y in enumerate(bytes.fromhex(table)):
        s0, s1, s2, s3, s4 = (x >> (4 - i) & 1 for i in range(5))
        result = spec.substitute((s0, s1, s2, s3, s4))
        assert sum((result[i] & 1) << (4 - i) for i in range(5)) == y


def test_padding_fills_whole_blocks() -> None:
    assert spec.pad(b"", 16) == b"\x01" + bytes(15)
    assert spec.pad(bytes(15), 16) == bytes(15) + b"\x01"
    assert spec.pad(bytes(16), 16) == bytes(16) + b"\x01" + bytes(15)


def test_keys_of_other_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="key and nonce have 16 bytes"):
        spec.seal(bytes(15), bytes(16), b"", b"")

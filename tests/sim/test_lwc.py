# SPDX-License-Identifier: Apache-2.0
"""Calls as words of the LWC hardware API, against its authors' test vectors; our core behind it."""

from __future__ import annotations

import ctypes
import random
import struct
from pathlib import Path

import pytest

from lydite.base.errors import InputError
from lydite.cores.ascon import fast
from lydite.sim import lwc
from lydite.sim.build import Sources, build_model

RTL = Path(fast.__file__).parent / "rtl"

# hardware/dummy_lwc/KAT/v1 of GMU's development package: messages 1, 2, 4, 7, 8 and 3, 6.
NONCE = bytes.fromhex("485B154FA00AB810229CACF7")
TAG = bytes.fromhex("0C5C69CA72656E955C5F8D2B73B75F2F")
KEY = bytes(range(16))


def words(data: bytes) -> list[str]:
    """The words of a port."""
    return [data[at : at + 4].hex().upper() for at in range(0, len(data), 4)]


def test_seal_of_nothing() -> None:
    fields = {"key": KEY, "nonce": NONCE, "ad": b"", "message": b""}
    pdi, sdi, do = lwc.frame("seal", fields, {"ciphertext": b"", "tag": TAG}, accepted=True)
    assert words(pdi) == [
        *("70000000", "20000000", "D600000C", "485B154F", "A00AB810", "229CACF7"),
        *("12000000", "43000000"),
    ]
    assert words(sdi) == ["40000000", "C7000010", *words(KEY)]
    assert words(do) == ["52000000", "83000010", *words(TAG), "E0000000"]


def test_open_of_nothing() -> None:
    fields = {"key": KEY, "nonce": NONCE, "ad": b"", "ciphertext": b"", "tag": TAG}
    pdi, _, do = lwc.frame("open", fields, {"message": b""}, accepted=True)
    assert words(pdi) == [
        *("70000000", "30000000", "D600000C", "485B154F", "A00AB810", "229CACF7"),
        *("12000000", "52000000", "83000010", *words(TAG)),
    ]
    assert words(do) == ["43000000", "E0000000"]


def test_end_of_input_stands_at_the_last_segment_with_bytes() -> None:
    fields = {"key": KEY, "nonce": NONCE, "ad": b"\x44", "message": b""}
    pdi = lwc.frame("seal", fields, {"ciphertext": b"", "tag": TAG}, accepted=True)[0]
    assert words(pdi)[2] == "D200000C"
    assert words(pdi)[6:] == ["16000001", "44000000", "43000000"]
    fields = {"key": KEY, "nonce": NONCE, "ad": b"\x44", "ciphertext": b"\xf9", "tag": TAG}
    pdi, _, do = lwc.frame("open", fields, {"message": b"\x4a"}, accepted=True)
    assert words(pdi)[6:10] == ["12000001", "44000000", "56000001", "F9000000"]
    assert words(do) == ["43000001", "4A000000", "E0000000"]


def test_hash() -> None:
    digest = bytes(range(32))
    pdi, sdi, do = lwc.frame("hash", {"message": b""}, {"digest": digest}, accepted=True)
    assert (words(pdi), sdi) == (["80000000", "73000000"], b"")
    assert words(do) == ["93000020", *words(digest), "E0000000"]
    pdi = lwc.frame("hash", {"message": b"\xf1"}, {"digest": digest}, accepted=True)[0]
    assert words(pdi) == ["80000000", "77000001", "F1000000"]


def test_long_fields_have_several_segments() -> None:
    text = bytes(lwc.SEGMENT_BYTES + 1)
    fields = {"key": KEY, "nonce": NONCE, "ad": b"", "ciphertext": text, "tag": TAG}
    pdi, _, do = lwc.frame("open", fields, {"message": text}, accepted=True)
    assert words(do)[0] == "4000FFF0"
    assert words(do)[-3:] == ["43000001", "00000000", "E0000000"]
    assert words(pdi)[-7:-4] == ["56000001", "00000000", "83000010"]


def test_text_of_a_wrong_tag_does_not_count() -> None:
    fields = {"key": KEY, "nonce": NONCE, "ad": b"", "ciphertext": b"abcde", "tag": TAG}
    do = lwc.frame("open", fields, {}, accepted=False)[2]
    assert words(do) == ["43000005", "00000000", "00000000", "F0000000"]
    assert lwc.mask("open", fields, {}, accepted=False) == b"\1" * 4 + bytes(8) + b"\1" * 4
    message = {"message": b"abcde"}
    assert lwc.mask("open", fields, message, accepted=True) == b"\1" * 16


def test_what_the_api_has_not_is_refused() -> None:
    with pytest.raises(InputError) as refusal:
        lwc.frame("encrypt", {}, {}, accepted=True)
    assert str(refusal.value) == (
        "lwc: encrypt: no operation of the API\n  it has seal, open and hash"
    )
    with pytest.raises(InputError) as refusal:
        lwc.frame("hash", {}, {}, accepted=True)
    assert str(refusal.value) == "lwc: fields: no message\n  the API needs one"


def test_segments_of_other_lengths_mean_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lwc, "SEGMENT_BYTES", 16)
    digest = bytes(32)
    pdi = lwc.frame("hash", {"message": bytes(32)}, {"digest": digest}, True)[0]
    assert words(pdi) == ["80000000", "70000010", *["00000000"] * 4, "77000010", *["00000000"] * 4]


Job = tuple[str, dict[str, bytes], dict[str, bytes], bool]


def jobs(rng: random.Random, count: int) -> list[Job]:
    """Calls of all kinds, mixed; of those that open, some with a wrong tag."""
    found: list[Job] = []
    lengths = (0, 0, 1, 3, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 48, 100)
    for _ in range(count):
        key, nonce = rng.randbytes(16), rng.randbytes(16)
        ad, message = (rng.randbytes(rng.choice(lengths)) for _ in range(2))
        text, tag = fast.seal(key, nonce, ad, message)
        kind = rng.choice(("seal", "open", "hash"))
        if kind == "hash":
            found.append((kind, {"message": message}, {"digest": fast.hash256(message)}, True))
            continue
        head = {"key": key, "nonce": nonce, "ad": ad}
        if kind == "seal":
            outputs = {"ciphertext": text, "tag": tag}
            found.append((kind, {**head, "message": message}, outputs, True))
            continue
        forged = rng.random() < 0.4
        tag = bytes(a ^ forged * (i == len(text) % 16) for i, a in enumerate(tag))
        fields = {**head, "ciphertext": text, "tag": tag}
        found.append((kind, fields, {"message": message}, not forged))
    return found


def numbers(data: bytes) -> ctypes.Array[ctypes.c_uint32]:
    """The words of a port for the harness."""
    found = struct.unpack(f">{len(data) // 4}I", data)
    return (ctypes.c_uint32 * len(found))(*found)


@pytest.fixture(scope="module")
def model() -> ctypes.CDLL:
    """Our core behind the API, with its harness."""
    names = ("diffuse", "engine", "lwc", "rounds", "substitute")
    files = {f"ascon_{name}.v": RTL / f"ascon_{name}.v" for name in names}
    sources = Sources(files=files, top="ascon_lwc", parameters={"ROUNDS": 1})
    return ctypes.CDLL(str(build_model(sources, Path(__file__).parent / "lwc.cpp", defines={})))


@pytest.mark.parametrize("segment_bytes", [65520, 48, 32])
@pytest.mark.parametrize(("stalls", "resets"), [(0, 0), (2, 0), (5, 0), (2, 12)])
def test_core_behind_the_api(
    model: ctypes.CDLL,
    segment_bytes: int,
    stalls: int,
    resets: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lwc, "SEGMENT_BYTES", segment_bytes)
    pdi = sdi = do = counts = b""
    ends: list[int] = []
    for job in jobs(random.Random(segment_bytes), 150):
        given = lwc.frame(*job)
        pdi, sdi, do = pdi + given[0], sdi + given[1], do + given[2]
        counts += bytes(255 * byte for byte in lwc.mask(*job))
        ends += [0] * (len(given[2]) // 4 - 1) + [1]
    text = ctypes.create_string_buffer(200)
    size = ctypes.c_uint64
    model.run.restype = ctypes.c_int64
    cycles = model.run(
        *(numbers(pdi), size(len(pdi) // 4), numbers(sdi), size(len(sdi) // 4)),
        *(numbers(do), numbers(counts), bytes(ends), size(len(ends))),
        *(ctypes.c_uint32(stalls), ctypes.c_uint32(resets), size(1), text, size(len(text))),
    )
    assert cycles > 0, text.value.decode()

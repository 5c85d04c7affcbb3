# SPDX-License-Identifier: Apache-2.0
"""`lydite run-action sponge`: what it prints, and what it refuses."""

from __future__ import annotations

import json
import zlib
from pathlib import Path

import msgspec
import pytest

from lydite import cli
from lydite.cores import Primitive, catalog


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """Give what the command prints as JSON."""
    assert cli.main(["run-action", "sponge", *arguments, "--json"]) == 0
    return dict(json.loads(capsys.readouterr().out))


def test_speed_test_is_the_same_on_processor_and_core(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("-n", "2", "-f", "3", "--runs", "7", "--rounds", "4")
    on_cpu, simulated = (run(capsys, *options, "--config", where) for where in ("cpu", "sim"))
    assert on_cpu["checksum"] == simulated["checksum"]
    assert (on_cpu["calls"], simulated["calls"]) == (5, 5)


def test_core_from_c_gives_the_same(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LYDITE_STORE", str(tmp_path / "store"))
    (path := tmp_path / "message").write_bytes(b"Wikipedia")
    from_c = ("--config", "sim", "--source", "c", "--slices", "2")
    options = ("-n", "2", "-f", "3", "--runs", "7", "--rounds", "4")
    on_cpu, simulated = (run(capsys, *options, *more) for more in ((), from_c))
    assert on_cpu["checksum"] == simulated["checksum"]
    assert simulated["calls"] == 5
    found = run(capsys, "-m", "CRC32", "-i", str(path), *from_c)
    assert found["checksum"] == f"{zlib.crc32(b'Wikipedia'):08x}"
    found = run(capsys, "-c", "SHAKE", *from_c)
    assert found["where"] == "sponge-action/hls-stream-x2, simulated"
    assert found["shake256"] == "390 known answers are right"


def test_known_answers_are_of_the_functions_of_a_choice(capsys: pytest.CaptureFixture[str]) -> None:
    on_cpu = run(capsys, "-c", "SHA3_SHAKE")
    sha3, shake = (run(capsys, "-c", one, "--config", "sim") for one in ("SHA3", "SHAKE"))
    assert on_cpu.pop("where") == "software, on this machine"
    assert sha3.pop("where") == shake.pop("where") == "sponge-action/rtl, simulated"
    counts = {"sha3-224": 161, "sha3-256": 153, "sha3-384": 121, "sha3-512": 89}
    told = {name: f"{count} known answers are right" for name, count in counts.items()}
    assert told.items() <= sha3.items()
    assert not told.keys() & shake.keys()
    assert on_cpu == sha3 | shake


def test_wrong_answer_of_the_action_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    primitive = catalog.primitive("sha3-384")
    first, *others = primitive.vectors()
    wrong = msgspec.structs.replace(first, fields={**first.fields, "digest": bytes(48)})
    monkeypatch.setattr(Primitive, "vectors", lambda _: (wrong, *others))
    monkeypatch.setattr(catalog, "primitives", lambda: (primitive,))
    assert cli.main(["run-action", "sponge", "-c", "SHA3", "--config", "sim"]) == 5
    assert "sha3-384, stalls none, message 0 (SHA3_384ShortMsg.rsp:10)" in capsys.readouterr().err


@pytest.mark.parametrize("where", ["cpu", "sim"])
@pytest.mark.parametrize("message", [b"", b"Wikipedia", bytes(1000)])
def test_checksums_are_those_of_zlib(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, where: str, message: bytes
) -> None:
    path = tmp_path / "message"
    path.write_bytes(message)
    for mode, right in (("CRC32", zlib.crc32(message)), ("ADLER32", zlib.adler32(message))):
        found = run(capsys, "-m", mode, "-i", str(path), "--config", where)
        assert found["checksum"] == f"{right:08x}"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("-n", "0"), "--nb-elmts: must be 1 to 65536, not 0"),
        (("-f", "65537"), "--freq: must be 1 to 65536, not 65537"),
        (("--threads", "0"), "--threads: must be at least 1, not 0"),
        (("--threads", "1025"), "--threads: must be at most 1024, not 1025"),
        (("--slices", "65"), "--slices: must be 1 to 64, not 65"),
        (("-m", "CRC32"), "--input: missing\n  CRC32 is of a file"),
        (
            ("-m", "ADLER32", "-i", "/no/such/file"),
            "/no/such/file: cannot be read: No such file or directory",
        ),
        (("-m", "CRC32", "-i", "/"), "/: cannot be read: Is a directory"),
        (("--source", "c"), "--source: is of the simulated core\n  --config sim"),
        (("--slices", "2"), "--slices: is of the simulated core\n  --config sim"),
        (
            ("-m", "CRC32", "-c", "SHAKE", "-i", "/no/such/file"),
            "--choice: is of SPONGE, not of CRC32\n  leave it out",
        ),
        (
            ("-m", "ADLER32", "-n", "1", "-i", "/no/such/file"),
            "--nb-elmts: is of the speed test\n  --mode SPONGE --choice SPEED",
        ),
        (
            ("-c", "SHA3", "--rounds", "100000"),
            "--rounds: is of the speed test\n  --mode SPONGE --choice SPEED",
        ),
        (
            ("--config", "sim", "-x", "1"),
            "--threads: is of the speed test on processors\n"
            "  --mode SPONGE --choice SPEED --config cpu",
        ),
        (
            ("-i", "/"),
            "--input: SPONGE reads nothing\n  leave it out, or name another --mode",
        ),
    ],
)
def test_bad_input_is_told(
    capsys: pytest.CaptureFixture[str], options: tuple[str, ...], message: str
) -> None:
    assert cli.main(["run-action", "sponge", *options]) == 2
    assert capsys.readouterr().err == f"lydite: {message}\n"

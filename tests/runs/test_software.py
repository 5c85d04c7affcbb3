# SPDX-License-Identifier: Apache-2.0
"""Software is proven before it is measured; the build that counts is named with those that lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lydite.base import CheckFailed, InputError
from lydite.cores import Software, catalog, load
from lydite.cores.des import fast
from lydite.cores.operation import Operation
from lydite.runs.execute import execute
from lydite.runs.processors import measuring, software
from lydite.runs.processors.loaded import Variant
from lydite.runs.processors.software import MeasureSoftware
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.sim.suites import Inputs, Oracle
from lydite.tools import compiler

Replace = Callable[[Path, str, str], None]

DESCRIPTION = """
[[software]]
name = "plain"
title = "a bit at a time"
role = "single"
primitives = ["crc32"]
sources = ["crc32.c"]
defines = { BYTES = "output_bytes" }
flags = ["-O1"]
"""
CODE = """
#include "lydite_sw.h"

const char *lydite_impl(void) { return "plain"; }
size_t lydite_lanes(void) { return 1; }
const char *lydite_cpu_flags(void) { return ""; }
int lydite_available(void) { return 1; }

void lydite_hash(const struct lydite_batch *batch) {
  const size_t in_bytes = batch->in_bytes[0], out_bytes = batch->out_bytes[0];
  const uint8_t *in = batch->in[0];
  uint8_t *out = batch->out[0];
  for (size_t m = 0; m < batch->count; ++m) {
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < in_bytes; ++i) {
      crc ^= in[m * in_bytes + i];
      for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    for (size_t i = 0; i < BYTES; ++i) out[m * out_bytes + i] = (uint8_t)(~crc >> 8 * i);
  }
}
"""


@pytest.fixture
def store(store_folder: Path) -> Iterator[Store]:
    with Store(store_folder) as opened:
        yield opened


@pytest.fixture(autouse=True)
def one_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(software, "_compilers", lambda: (compiler.find("c"),))


@pytest.fixture
def code(crc32: Path) -> Path:
    """Give the C file of the example core with software."""
    path = crc32 / "core.toml"
    path.write_text(path.read_text() + DESCRIPTION)
    (crc32 / "crc32.c").write_text(CODE)
    return crc32 / "crc32.c"


def measured(store: Store, code: Path) -> Record:
    [variant] = load(code.parent / "core.toml").software
    [record] = execute([MeasureSoftware(variant)], store, parallel=2).values()
    return record


def test_software_is_measured(store: Store, code: Path) -> None:
    record = measured(store, code)
    assert record.error == ""
    found = record.result
    assert found["available"] is True
    assert (found["lanes"], found["long_bytes"]) == (1, 16384)
    [times] = found["operations"]
    assert times["operation"] == "hash"
    assert found["compiler"] == f"{compiler.find('c').name} {compiler.find('c').version}"
    assert found["flags"] == "-O1"
    for name in ("long_1", "long_all", "block_1", "blocks_1", "blocks_all"):
        figure = times[name]
        assert 0 < figure["best_ns"] <= figure["median_ns"] <= figure["worst_ns"], name
    # What a variant does not offer is not measured.
    assert found["permutation_1"] is found["permutation_all"] is None
    assert found["core_ghz"] > 0.1
    assert len(found["trials"]) == 1
    assert any("-DBYTES=4" in argv for argv in record.commands)


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        (
            "0xedb88320",
            "0xedb88321",
            "variant1.so: crc32.json: record 2: byte 0 of output\n  expected 2639f4cb\n  got      ",
        ),
        (
            "uint32_t crc = 0xffffffff;",
            "uint32_t crc = 0xffffffff - (m > 0);",
            "variant1.so: crc32.json: record 1\n  expected each call's own output\n",
        ),
        ("  for (size_t m", "  *(volatile int *)0 = 1;\n  for (size_t m", "variant1.so was killed"),
        (
            "#include",
            "#error no\n#include",
            "cc failed with exit status 1\n  no compiler accepts it:",
        ),
    ],
    ids=["wrong", "wrong beside others", "crash", "does not compile"],
)
def test_software_that_is_wrong_is_seen(
    store: Store, code: Path, replace: Replace, old: str, new: str, error: str
) -> None:
    replace(code, old, new)
    record = measured(store, code)
    assert record.status == "failed"
    assert record.error.startswith(error)


def test_lanes_that_disturb_each_other_are_seen(store: Store, code: Path, replace: Replace) -> None:
    replace(code, "lydite_lanes(void) { return 1; }", "lydite_lanes(void) { return 2; }")
    replace(code, "uint32_t crc = 0xffffffff;", "uint32_t crc = 0xffffffff - (m > 0);")
    record = measured(store, code)
    assert record.error == (
        "variant1.so: crc32.json: record 1\n"
        "  expected each call's own output\n"
        "  got      another when run beside others"
    )


def test_library_that_is_not_here_is_no_failure(store: Store, code: Path, replace: Replace) -> None:
    replace(code, "lydite_available(void) { return 1; }", "lydite_available(void) { return 0; }")
    record = measured(store, code)
    assert (record.status, record.result) == ("ok", {"available": False})


def test_build_that_no_compiler_takes_does_not_lose_the_others(
    store: Store, code: Path, replace: Replace
) -> None:
    replace(code.parent / "core.toml", 'flags = ["-O1"]', 'flags = ["-O9 -fno-such-flag", "-O1"]')
    record = measured(store, code)
    assert record.error == ""
    assert record.result["flags"] == "-O1"
    [lost, won] = record.result["trials"]
    assert "-fno-such-flag" in lost["error"]
    assert won["long_1_median_ns"] > 0


def test_key_names_all_that_decides(store: Store, code: Path, replace: Replace) -> None:
    def key() -> str:
        [variant] = load(code.parent / "core.toml").software
        return MeasureSoftware(variant).key

    seen = {key()}
    for path, old, new in (
        (code, '"plain"', '"other"'),
        (code.parent / "core.toml", 'flags = ["-O1"]', 'flags = ["-O2"]'),
        (code.parent / "core.toml", '"output_bytes" }', '"output_bytes + 0 * 1 + 1" }'),
        (code.parent / "kat" / "crc32.json", "ad550a19", "ad550a18"),
    ):
        replace(path, old, new)
        seen.add(key())
    assert len(seen) == 5


def test_files_of_all_our_software_are_found() -> None:
    for core in catalog.cores():
        for variant in core.software:
            names = MeasureSoftware(variant)._files()
            assert {f"core/{name}" for name in variant.sources} < names.keys()


# Answers of all variants are known elsewhere; these stand for what is measured of a reference.
MEASURED = ("aes", "blake3", "checksum", "dilithium")


@pytest.mark.parametrize(
    "name",
    [
        name if name in MEASURED else pytest.param(name, marks=pytest.mark.slow)
        for name in sorted({s.folder.name for c in catalog.cores() for s in c.software})
    ],
)
def test_our_reference_is_measured(store: Store, name: str) -> None:
    found = [s for c in catalog.cores() for s in c.software if s.folder.name == name]
    reference = next(one for one in found if one.role == "reference")
    variant = msgspec.structs.replace(reference, flags=("-O1",))
    [record] = execute([MeasureSoftware(variant)], store, parallel=1).values()
    assert record.error == ""
    operations = [one["operation"] for one in record.result["operations"]]
    assert operations == list(variant.operations)


PEER = """
[[software]]
name = "zlib"
title = "Python's zlib"
role = "peer"
primitives = ["crc32"]
python = "peer.py"
defines = { BYTES = "output_bytes" }
"""
PYTHON = """
import zlib

VERSION = f"zlib {zlib.ZLIB_RUNTIME_VERSION}"


def hash(message):
    return zlib.crc32(message).to_bytes(BYTES, "little")
"""


@pytest.fixture
def peer(crc32: Path) -> Path:
    """Give the Python file of the example core with a peer."""
    path = crc32 / "core.toml"
    path.write_text(f"{path.read_text()}\n{PEER}")
    (crc32 / "peer.py").write_text(PYTHON)
    return crc32 / "peer.py"


def test_peer_in_python_is_proven_and_measured(
    peer: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = measured(store, peer)
    assert record.error == ""
    result = record.result
    assert result["available"]
    assert result["version"].startswith("zlib 1.")
    assert (result["lanes"], result["library"], result["trials"]) == (1, "core/peer.py", [])
    assert result["compiler"].startswith("Python 3.")
    [times] = result["operations"]
    assert 0 < times["block_1"]["best_ns"] < times["long_1"]["median_ns"]
    assert times["long_1"]["tsc_per_unit"] == 0


def test_peer_in_python_that_is_wrong_is_seen(peer: Path, store: Store, replace: Replace) -> None:
    replace(peer, '"little"', '"big"')
    record = measured(store, peer)
    where = "peer.py: crc32.json: record 2: byte 0 of output"
    assert record.error == f"{where}\n  expected 2639f4cb\n  got      cbf43926"


def test_peer_without_its_package_is_told_and_no_failure(
    peer: Path, store: Store, replace: Replace
) -> None:
    replace(peer, "import zlib", "import lydite_has_no_such_package")
    record = measured(store, peer)
    assert (record.status, record.result) == ("ok", {"available": False})


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ('role = "peer"', 'role = "single"', "software zlib: python: of a single"),
        ('python = "peer.py"', 'python = "peer.py"\nsources = ["crc32.v"]', "beside sources"),
        ('python = "peer.py"', 'python = "other.py"', "other.py"),
        ('python = "peer.py"\n', "", "software zlib: sources: no files"),
    ],
)
def test_broken_description_of_a_peer_is_refused(
    peer: Path, replace: Replace, old: str, new: str, error: str
) -> None:
    replace(peer.parent / "core.toml", old, new)
    with pytest.raises(InputError) as raised:
        load(peer.parent / "core.toml")
    assert error in str(raised.value)


class Wide(Variant):
    """Software of more lanes than a byte has values."""

    lanes = 300

    def __init__(self, *, mixes: bool) -> None:
        self.mixes = mixes

    def run(self, operation: Operation, calls: Sequence[Inputs]) -> list[tuple[bytes, ...] | None]:
        found: list[tuple[bytes, ...] | None] = [
            (fast.encrypt(inputs[0], inputs[1]),) for inputs, _ in calls
        ]
        return [*found[1:], found[0]] if self.mixes and len(calls) > 1 else found

    def time(self, *arguments: object) -> Any:
        raise AssertionError("it is only proven")


def test_a_variant_of_many_lanes_is_proven_in_all() -> None:
    primitive = catalog.primitive("des")
    operation = primitive.operation("encrypt")
    vectors = [one for one in primitive.vectors() if one.operation == "encrypt"][:1]
    Wide(mixes=False).prove(operation, vectors, "wide")
    with pytest.raises(CheckFailed, match="another when run beside others"):
        Wide(mixes=True).prove(operation, vectors, "wide")


def lacking(name: str, operation: str) -> Software:
    """Give our reference with one of its operations alone."""
    found = next(s for c in catalog.cores() for s in c.software if s.label == name)
    return msgspec.structs.replace(found, operations=(operation,), flags=("-O1",))


@pytest.mark.parametrize(
    ("name", "operation"), [("ascon-aead128/ref", "open"), ("ml-dsa-44/ref", "verify")]
)
def test_software_that_cannot_make_its_inputs_is_given_them(
    store: Store, name: str, operation: str
) -> None:
    variant = lacking(name, operation)
    [record] = execute([MeasureSoftware(variant)], store, parallel=1).values()
    assert record.error == ""
    assert [one["operation"] for one in record.result["operations"]] == [operation]
    request = msgspec.json.decode(
        store.read(record.key, software.REQUEST_FILE), type=measuring.Request
    )
    opened = variant.primitive.operation(operation)
    sizes = [one.payload_bytes for one in request.given]
    assert sizes == list(measuring.payloads(opened))
    with Oracle(variant.primitive, [operation]) as oracle:
        for one in request.given:
            assert oracle.outputs(opened, [(one.inputs, None)]) != [None]


def test_software_that_nobody_can_give_inputs_is_refused(store: Store) -> None:
    variant = lacking("ascon-aead128/ref", "open")
    operations = tuple(msgspec.structs.replace(o, spec="") for o in variant.primitive.operations)
    primitive = msgspec.structs.replace(variant.primitive, operations=operations)
    variant = msgspec.structs.replace(variant, primitive=primitive)
    [record] = execute([MeasureSoftware(variant)], store, parallel=1).values()
    assert "ref: has no seal, and neither has a specification" in record.error

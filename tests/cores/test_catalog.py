# SPDX-License-Identifier: Apache-2.0
"""Descriptions of cores: what they give, what is refused and how, where they are found."""

from __future__ import annotations

import importlib.metadata
import sys
import types
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.cores import Design, catalog, load, select
from lydite.cores.primitive import COMMON
from lydite.hls.contract import rtl_macro

Replace = Callable[[Path, str, str], None]
CONTRACT = "\n  the fields are listed in the contract page of a core description"


def refusal(path: Path) -> str:
    """Give the message with which a description is refused."""
    with pytest.raises(InputError) as raised:
        load(path)
    return str(raised.value).replace(str(path), "FILE").replace(str(path.parent), "FOLDER")


def claimed(design: Design) -> tuple[Fraction, Fraction]:
    """Give the cycles a block and of latency that a hash claims, which are no ranges."""
    bounds = [design.claim("hash", name) for name in ("cycles_per_block", "latency_cycles")]
    [(block, same_block), (latency, same_latency)] = [pair for pair in bounds if pair is not None]
    assert (block, latency) == (same_block, same_latency)
    return block, latency


def test_example_is_read(crc32: Path) -> None:
    core = load(crc32 / "core.toml")
    [primitive], [design] = core.primitives, core.designs
    [operation] = primitive.operations
    assert primitive.names == {"block_bytes": 1, "output_bytes": 4}
    assert (operation.name, operation.kind, operation.one_block_bytes) == ("hash", "hash", 1)
    assert len(primitive.vectors()) == 4
    assert (design.label, design.top, design.clock, design.reset) == (
        *("crc32/rtl", "crc32", "clk", "rst"),
    )
    assert design.operations == ("hash",)
    assert claimed(design) == (1, 5)
    # What is not claimed is measured, and held against nothing.
    assert design.claim("hash", "total_cycles", blocks=3) is None


def test_padding_takes_room_of_the_one_block(crc32: Path, replace: Replace) -> None:
    path = crc32 / "core.toml"
    replace(path, "block_bytes = 1\n", "block_bytes = 8\npadding_bytes = 3\n")
    assert load(path).primitives[0].operation("hash").one_block_bytes == 5


def test_claims_are_formulas_of_parameters(crc32: Path, replace: Replace) -> None:
    path = crc32 / "core.toml"
    replace(
        path,
        'claims.hash = { cycles_per_block = "1", latency_cycles = "1 + 4" }',
        'parameters = { LANES = "2 * output_bytes", DEPTH = 3 }\n'
        'claims.hash = { cycles_per_block = "LANES", '
        'latency_cycles = "LANES / DEPTH + block_bytes" }',
    )
    assert refusal(path) == (
        "FILE: design rtl: claims.hash.latency_cycles: 11/3 cycles\n"
        "  a number of cycles is whole: use // to round down"
    )
    replace(path, "LANES / DEPTH", "LANES // DEPTH")
    [design] = load(path).designs
    assert design.parameters == {"LANES": 8, "DEPTH": 3}
    assert claimed(design) == (8, 3)
    # From block to block it need not be: a core may take two in an odd number of cycles.
    replace(path, 'cycles_per_block = "LANES"', 'cycles_per_block = "LANES / DEPTH"')
    assert claimed(load(path).designs[0]) == (Fraction(8, 3), 3)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "schema = 2",
            "schema = 3",
            "FILE: schema: version 3 is not known\n  this is 2: see docs/cores.md",
        ),
        ("schema = 2", "schema = '2'", "FILE: schema: expected `int`, got `str`"),
        ("schema = 2", "", "FILE: object missing required field `schema`"),
        (
            'title = "a byte',
            'speed = 3\ntitle = "a byte',
            "FILE: design[0]: object contains unknown field `speed`" + CONTRACT,
        ),
        (
            'name = "hash"',
            'name = "hash"\nkind = "sum"',
            "FILE: primitive crc32: operation hash: kind: no such kind: 'sum'\n  there are: hash, "
            "checksum, encrypt, decrypt, permute, seal, open, keygen, sign, verify, search, "
            "compute",
        ),
        (
            "records = 4",
            "records = 4.5",
            "FILE: primitive[0].kat[0].records: expected `int`, got `float`",
        ),
        (
            "records = 4",
            "records = 0",
            "FILE: primitive crc32: kat: kat/crc32.json: records must be at least 1",
        ),
        (
            'top = "crc32"\n',
            "",
            "FILE: design rtl: top: missing\n  name the top module of the sources",
        ),
        (
            "block_bytes = 1",
            "block_bytes = 0",
            "FILE: primitive crc32: operation hash: block_bytes: must be at least 1, not 0",
        ),
        (
            "bytes = 4",
            "bytes = -1",
            "FILE: primitive crc32: operation hash: output: bytes: must be at least 1",
        ),
        (
            "kat/crc32.json",
            "kat/crc33.json",
            "FILE: primitive crc32: kat: no such file: kat/crc33.json\n  looked in FOLDER",
        ),
        (
            "kat/crc32.json",
            "kat",
            "FILE: primitive crc32: kat: no such file: kat\n  looked in FOLDER",
        ),
        (
            '"crc32.v"',
            '"crc33.v"',
            "FILE: design rtl: sources: no such file: crc33.v\n  looked in FOLDER",
        ),
        (
            '"crc32.v"',
            '"../crc32/../x.v"',
            "FILE: design rtl: sources: ../crc32/../x.v lies outside the core's folder",
        ),
        (
            '"crc32.v"',
            '"/etc/passwd"',
            "FILE: design rtl: sources: /etc/passwd lies outside the core's folder",
        ),
        (
            '"crc32.v"',
            '"common/rtl/none.v"',
            "FILE: design rtl: sources: no such file: common/rtl/none.v\n  looked in FOLDER",
        ),
        (
            '"crc32.v"',
            '"common/rtl/../../x.v"',
            "FILE: design rtl: sources: common/rtl/../../x.v lies outside the core's folder",
        ),
        (
            "kat/crc32.json",
            "common/rtl/message_pad.v",
            "FILE: primitive crc32: kat: no such file: common/rtl/message_pad.v\n"
            "  looked in FOLDER",
        ),
        ('["crc32.v"]', "[]", "FILE: design rtl: sources: no files"),
        (
            "spec.py:crc32",
            "spec.py",
            "FILE: primitive crc32: operation hash: spec: not FILE.py:FUNCTION: 'spec.py'",
        ),
        (
            "spec.py:crc32",
            "specs.py:crc32",
            "FILE: primitive crc32: spec: no such file: specs.py\n  looked in FOLDER",
        ),
        (
            'format = "json"',
            'format = "cavp-chain"',
            "FILE: primitive crc32: no known answers of single messages\n"
            "  nothing is measured that is not proven first",
        ),
        (
            'primitives = ["crc32"]',
            'primitives = ["crc64"]',
            "FILE: design rtl: primitives: no such primitive: 'crc64'",
        ),
        (
            'cycles_per_block = "1"',
            'cycles_per_block = "one"',
            "FILE: design rtl: claims.hash.cycles_per_block: unknown name 'one' in 'one'\n"
            "  known here: block_bytes, output_bytes",
        ),
        (
            'cycles_per_block = "1"',
            'cycles_per_block = "1 +"',
            "FILE: design rtl: claims.hash.cycles_per_block: not a formula: '1 +'\n"
            "  a formula has whole numbers, names, + - * / // %, ( ), min, max and ceil_div",
        ),
        (
            'cycles_per_block = "1"',
            "cycles_per_block = true",
            "FILE: design[0].claims[...].cycles_per_block: expected `int | str | array | null`, "
            "got `bool`",
        ),
        (
            'top = "crc32"',
            'top = "crc32; !rm"',
            "FILE: design rtl: not a name of Verilog: 'crc32; !rm'",
        ),
        (
            'name = "rtl"',
            'name = "r/tl"',
            "FILE: design: not a name: 'r/tl'\n  letters, digits, '-' and '.'",
        ),
        (
            'name = "rtl"',
            'name = ""',
            "FILE: design: not a name: ''\n  letters, digits, '-' and '.'",
        ),
        ("schema = 2", "schema = ", "FILE:2: not TOML: Invalid value (at line 2, column 10)"),
    ],
)
def test_broken_description_is_refused(
    crc32: Path, replace: Replace, old: str, new: str, message: str
) -> None:
    path = crc32 / "core.toml"
    replace(path, old, new)
    assert refusal(path) == message


@pytest.mark.parametrize("kind", ["primitive", "design"])
def test_a_name_stands_once(crc32: Path, kind: str) -> None:
    path = crc32 / "core.toml"
    text = path.read_text()
    begin = text.index(f"[[{kind}]]")
    end = text.index("[[design]]") if kind == "primitive" else len(text)
    path.write_text(text + "\n" + text[begin:end])
    name = "crc32" if kind == "primitive" else "rtl"
    assert refusal(path) == f"FILE: {kind}: {name!r} stands twice\n  names are unique"


SOFTWARE = """
[[software]]
name = "plain"
title = "plain C"
role = "single"
primitives = ["crc32"]
sources = ["crc32.c"]
defines = { BYTES = "output_bytes" }
"""


def test_software_is_read(crc32: Path) -> None:
    path = crc32 / "core.toml"
    path.write_text(path.read_text() + SOFTWARE)
    (crc32 / "crc32.c").write_text("")
    [software] = load(path).software
    assert (software.label, software.defines) == ("crc32/plain", {"BYTES": 4})
    assert software.flags == ("-O3 -march=native", "-O2 -march=native")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "crc32.c",
            "crc33.c",
            "FILE: software plain: sources: no such file: crc33.c\n  looked in FOLDER",
        ),
        ('["crc32.c"]', "[]", "FILE: software plain: sources: no files"),
        (
            '["crc32.c"]',
            '["crc32.c"]\nflags = []',
            "FILE: software plain: flags: no set of compiler flags",
        ),
        (
            '"output_bytes"',
            '"output_bits"',
            "FILE: software plain: defines.BYTES: unknown name 'output_bits' in 'output_bits'\n"
            "  known here: block_bytes, output_bytes",
        ),
        ('role = "single"', 'role = "fast"', "FILE: software[0].role: invalid enum value 'fast'"),
    ],
)
def test_broken_software_is_refused(
    crc32: Path, replace: Replace, old: str, new: str, message: str
) -> None:
    path = crc32 / "core.toml"
    path.write_text(path.read_text() + SOFTWARE)
    (crc32 / "crc32.c").write_text("")
    replace(path, old, new)
    assert refusal(path) == message


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            '"output": "0bab6cff"',
            '"output": "0bab6c"',
            "crc32.json: record 4: output has 3 bytes, not 4",
        ),
        (
            '"output": "00000000"',
            '"output": "0000000000"',
            "crc32.json: record 1: output has 5 bytes, not 4",
        ),
    ],
)
def test_output_of_a_hash_has_its_length(
    crc32: Path, replace: Replace, old: str, new: str, message: str
) -> None:
    path = crc32 / "kat" / "crc32.json"
    replace(path, old, new)
    with pytest.raises(InputError) as raised:
        load(crc32 / "core.toml").primitives[0].vectors()
    assert str(raised.value) == (
        f"{path}: {message}\n  the file is cut short, or core.toml says a wrong length"
    )


def test_select_takes_a_path_to_a_file_or_a_folder(crc32: Path) -> None:
    for name in (str(crc32), str(crc32 / "core.toml")):
        [selection] = select(name)
        assert [design.label for design in selection.designs] == ["crc32/rtl"]


def test_one_design_of_ones_own_file_is_selected(
    crc32: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = crc32 / "core.toml"
    second = path.read_text().partition("[[design]]")[2].replace('"rtl"', '"rtl2"')
    path.write_text(f"{path.read_text()}\n[[design]]{second}")
    # A folder of sources may have the name of a design.
    (crc32 / "rtl2").mkdir()
    monkeypatch.chdir(crc32.parent)
    for name in (f"{path}/rtl2", f"{crc32}/rtl2", "crc32/rtl2", "crc32/core.toml/rtl2"):
        [selection] = select(name)
        assert [design.name for design in selection.designs] == ["rtl2"]
    assert [design.name for design in select("crc32")[0].designs] == ["rtl", "rtl2"]
    for name in ("crc32/rtl3", "crc32/core.toml/rtl3"):
        with pytest.raises(InputError) as raised:
            select(name)
        assert str(raised.value) == (
            "DESIGN: no design 'rtl3' in crc32/core.toml\n  there are: rtl, rtl2"
        )
    with pytest.raises(InputError) as raised:
        select("none/core.toml/rtl")
    assert str(raised.value) == (
        "none/core.toml: cannot read a core description: No such file or directory"
    )


def test_folder_of_the_name_of_a_primitive_hides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sha3-256").mkdir()
    monkeypatch.chdir(tmp_path)
    assert [design.label for design in select("sha3-256/rtl")[0].designs] == ["sha3-256/rtl"]


def test_users_core_may_implement_a_primitive_of_the_catalogue(
    crc32: Path, replace: Replace
) -> None:
    replace(crc32 / "core.toml", 'primitives = ["crc32"]', 'primitives = ["sha3-256"]')
    [selection] = select(str(crc32))
    assert selection.primitive.name == "sha3-256"
    assert selection.designs[0].folder == crc32.resolve()
    assert selection.software == catalog.software("sha3-256")


def test_select_by_name_gives_the_default_designs() -> None:
    [selection] = select("sha3-256")
    assert selection.designs
    assert all(design.default for design in selection.designs)
    [every] = select("sha3-256", every=True)
    assert every.designs == catalog.designs("sha3-256")
    assert all(design in every.designs for design in selection.designs)


def test_select_one_design() -> None:
    [selection] = select("sha3-256/rtl")
    assert [design.label for design in selection.designs] == ["sha3-256/rtl"]


def refusal_of_selection(name: str) -> str:
    with pytest.raises(InputError) as raised:
        select(name)
    return str(raised.value)


def test_no_such_primitive_lists_what_there_is() -> None:
    names = [primitive.name for primitive in catalog.primitives()]
    assert {"sha3-256", "shake128"} <= {*names}
    assert refusal_of_selection("sha4") == (
        f"PRIMITIVE: no such primitive: 'sha4'\n  there are: {', '.join(names)}; "
        "or name a core.toml"
    )


def test_no_such_design_lists_what_there_is() -> None:
    known = ", ".join(design.label for design in catalog.designs("sha3-256"))
    assert refusal_of_selection("sha3-256/tiny") == (
        f"DESIGN: no such design: 'sha3-256/tiny'\n  there are: {known}"
    )


def test_missing_description_is_refused(tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "core.toml"):
        assert refusal_of_selection(str(name)) == (
            f"{tmp_path / 'core.toml'}: cannot read a core description: No such file or directory"
        )


def test_description_without_designs_cannot_be_benched(crc32: Path) -> None:
    path = crc32 / "core.toml"
    text = path.read_text()
    path.write_text(text[: text.index("[[design]]")])
    assert refusal_of_selection(str(path)) == f"{path}: describes no design\n  add a [[design]]"


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, object], None]]:
    """Give a function that installs an entry point which gives a value."""
    entries: list[importlib.metadata.EntryPoint] = []
    module = types.ModuleType("lydite_test_plugin")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    real = importlib.metadata.entry_points
    monkeypatch.setattr(
        importlib.metadata,
        "entry_points",
        lambda **group: entries if group == {"group": catalog.ENTRY_POINTS} else real(**group),
    )

    def _install(name: str, value: object) -> None:
        setattr(module, name, value)
        target = f"{module.__name__}:{name}"
        entries.append(importlib.metadata.EntryPoint(name, target, catalog.ENTRY_POINTS))
        catalog._catalogue_paths.cache_clear()
        catalog.cores.cache_clear()

    yield _install
    monkeypatch.undo()
    catalog._catalogue_paths.cache_clear()
    catalog.cores.cache_clear()


def test_entry_point_brings_a_core(crc32: Path, install: Callable[[str, object], None]) -> None:
    install("folder", str(crc32))
    [selection] = select("crc32")
    assert [design.label for design in selection.designs] == ["crc32/rtl"]


def test_entry_point_may_be_a_function(crc32: Path, install: Callable[[str, object], None]) -> None:
    install("folder", lambda: crc32)
    assert [p.name for p in catalog.primitives()][-1] == "crc32"


def test_broken_entry_point_is_named(install: Callable[[str, object], None]) -> None:
    install("folder", "x")
    del sys.modules["lydite_test_plugin"].folder
    with pytest.raises(InputError) as raised:
        select("crc32")
    assert str(raised.value) == (
        "entry point lydite.cores: folder: cannot be loaded: "
        "module 'lydite_test_plugin' has no attribute 'folder'\n"
        "  mend or uninstall the package that brings it"
    )


def test_entry_point_to_nowhere_is_refused(
    tmp_path: Path, install: Callable[[str, object], None]
) -> None:
    install("folder", str(tmp_path))
    with pytest.raises(InputError) as raised:
        select("crc32")
    assert str(raised.value) == (
        f"{tmp_path / 'core.toml'}: cannot read a core description: No such file or directory"
    )


@pytest.mark.parametrize("core", catalog.cores(), ids=lambda core: core.title)
def test_every_rtl_file_of_ours_is_a_source_of_some_design(core: catalog.Core) -> None:
    used = {name for design in core.designs for name in design.sources}
    used = {name for name in used if not name.startswith(COMMON)}
    in_c = [design for design in core.designs if design.hls is not None]
    lists = {design.folder / name for design in in_c for name in design.hls.macros}
    used |= {f"rtl/{path.name}" for file in lists for path in rtl_macro.sources(file)}
    folder = core.path.parent
    files = (path for pattern in ("*.v", "*.vh") for path in folder.rglob(pattern))
    assert used == {str(path.relative_to(folder)) for path in files}

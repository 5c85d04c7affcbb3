# SPDX-License-Identifier: Apache-2.0
"""What the contract of cores refuses, message by message, and what follows from what it takes."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.cores import Design, catalog, kat, load

Replace = Callable[[Path, str, str], None]

DESCRIPTION = """
schema = 2
title = "a cipher with a tag"

[[primitive]]
name = "toy"
title = "Toy"
standard = "none"
constants = { rounds = 12 }
kat = [{ file = "kat.json", format = "json", records = 1 }]

[[primitive.operation]]
name = "seal"
inputs = [{ name = "key", bytes = 16 }, { name = "ad" }, { name = "message" }]
outputs = [{ name = "ciphertext", bytes = "message" }, { name = "tag", bytes = 8 }]
payload = "message"
block_bytes = 16

[[primitive.operation]]
name = "open"
inputs = [
    { name = "key", bytes = 16 },
    { name = "ad" },
    { name = "ciphertext" },
    { name = "tag", bytes = 8 },
]
outputs = [{ name = "message", bytes = "ciphertext" }]
rejects = true
inverse = "seal"
payload = "ciphertext"
block_bytes = 16

[[design]]
name = "rtl"
title = "all of it"
primitives = ["toy"]
sources = ["toy.v"]
top = "toy"
streams = [
    { port = "s_axis", fields = ["ad", "message", "ciphertext", "tag"], user = "operation" },
    { port = "s_axis_key", fields = ["key"] },
    { port = "m_axis", fields = ["message", "ciphertext", "tag", "verdict"] },
]
parameters = { WIDTH = 5 }

[design.claims.seal]
cycles_per_block = "rounds / WIDTH"
latency_cycles = "rounds + key_bytes + tag_bytes"
total_cycles = "rounds * N + 20"

[design.claims.open]
cycles_per_block = ["rounds / WIDTH", 3]

[[design.variant]]
name = "rtl-w{WIDTH}"
parameters = { WIDTH = [6, 4] }

[[software]]
name = "plain"
title = "plain C"
role = "single"
primitives = ["toy"]
sources = ["toy.c"]
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Give a description of two operations, a design and variants of it, to be broken."""
    (tmp_path / "core.toml").write_text(DESCRIPTION)
    for name in ("toy.v", "toy.c", "kat.json"):
        (tmp_path / name).write_text("")
    return tmp_path / "core.toml"


def refusal(path: Path) -> str:
    """Give the message with which a description is refused."""
    with pytest.raises(InputError) as raised:
        load(path)
    return str(raised.value).replace(str(path), "FILE").replace(str(path.parent), "FOLDER")


def test_operations_streams_and_claims_are_read(toy: Path) -> None:
    core = load(toy)
    [primitive] = core.primitives
    seal, opened = primitive.operations
    assert (seal.kind, seal.rejects, opened.kind, opened.rejects) == ("seal", False, "open", True)
    assert seal.output_lengths([16, 3, 40]) == (40, 8)
    assert opened.output_lengths([16, 3, 40, 8]) == (40,)
    # What formulas may name: lengths that are fixed, wherever the field stands.
    assert primitive.names == {"block_bytes": 16, "key_bytes": 16, "tag_bytes": 8, "rounds": 12}
    design = core.designs[0]
    assert design.operations == ("seal", "open")
    assert [(stream.port, stream.is_sink) for stream in design.streams] == [
        *(("s_axis", True), ("s_axis_key", True), ("m_axis", False))
    ]
    assert design.claim("seal", "cycles_per_block") == (Fraction(12, 5), Fraction(12, 5))
    assert design.claim("seal", "latency_cycles") == (36, 36)
    assert design.claim("seal", "total_cycles", blocks=3) == (56, 56)
    assert design.claim("open", "cycles_per_block") == (Fraction(12, 5), 3)
    assert design.claim("open", "total_cycles", blocks=3) is None
    assert core.software[0].operations == ("seal", "open")


def test_design_and_software_may_have_some_operations(toy: Path, replace: Replace) -> None:
    text = toy.read_text()
    claims = text[text.index("[design.claims.open]") : text.index("[[design.variant]]")]
    replace(toy, claims, "")
    replace(toy, 'sources = ["toy.v"]', 'sources = ["toy.v"]\noperations = ["seal"]')
    replace(toy, '"ad", "message", "ciphertext", "tag"]', '"ad", "message"]')
    replace(toy, '["message", "ciphertext", "tag", "verdict"]', '["ciphertext", "tag"]')
    replace(toy, 'sources = ["toy.c"]', 'sources = ["toy.c"]\noperations = ["open"]')
    core = load(toy)
    assert core.designs[0].operations == ("seal",)
    assert core.software[0].operations == ("open",)


def test_operation_that_nothing_does_is_refused(toy: Path, replace: Replace) -> None:
    text = toy.read_text()
    claims = text[text.index("[design.claims.open]") : text.index("[[design.variant]]")]
    replace(toy, claims, "")
    replace(toy, 'sources = ["toy.v"]', 'sources = ["toy.v"]\noperations = ["seal"]')
    replace(toy, '"ad", "message", "ciphertext", "tag"]', '"ad", "message"]')
    replace(toy, '["message", "ciphertext", "tag", "verdict"]', '["ciphertext", "tag"]')
    replace(toy, 'sources = ["toy.c"]', 'sources = ["toy.c"]\noperations = ["seal"]')
    assert refusal(toy) == (
        "FILE: primitive toy: operation open: no design has it, and no software\n"
        "  add it to their `operations`, or take it out"
    )


def test_streams_by_default_have_all_fields_in_order(toy: Path) -> None:
    text = toy.read_text()
    begin, end = text.index("streams = ["), text.index("parameters = { WIDTH")
    toy.write_text(text[:begin] + 'registers = { key_i = "key" }\n' + text[end:])
    sink, source = load(toy).designs[0].streams
    assert (sink.port, sink.fields, sink.user) == (
        *("s_axis", ("ad", "message", "ciphertext", "tag"), "operation"),
    )
    assert (source.port, source.fields) == (
        *("m_axis", ("ciphertext", "tag", "message", "verdict")),
    )


KINDS = (
    "hash, checksum, encrypt, decrypt, permute, seal, open, keygen, sign, verify, search, compute"
)
NAMES = "names of fields are unique, of letters, digits and '_', and not 'verdict'"
PLACED = "each field of an operation goes through one stream, or is held by a register"
KNOWN = "known here: WIDTH, block_bytes, key_bytes, rounds, tag_bytes"
WHOLE = "a number of cycles is whole: use // to round down"
OPERATION_CASES = [
    (
        'name = "seal"\n',
        'name = "wrap"\n',
        "FILE: primitive toy: operation wrap: kind: no such kind: 'wrap'\n  there are: " + KINDS,
    ),
    (
        'name = "seal"\n',
        'name = "se-al"\n',
        "FILE: primitive toy: operation se-al: not a name: 'se-al'\n  letters, digits and '_'",
    ),
    (
        'name = "open"\n',
        'name = "seal"\nkind = "open"\n',
        "FILE: primitive toy: operation: none, or one stands twice",
    ),
    (
        '{ name = "ad" }, { name = "message" }]',
        '{ name = "ad" }, { name = "ad" }, { name = "message" }]',
        "FILE: primitive toy: operation seal: field 'ad': cannot be named so\n  " + NAMES,
    ),
    (
        '{ name = "ciphertext", bytes = "message" }',
        '{ name = "message", bytes = "message" }',
        "FILE: primitive toy: operation seal: field 'message': cannot be named so\n  " + NAMES,
    ),
    (
        '{ name = "message", bytes = "ciphertext" }',
        '{ name = "verdict", bytes = "ciphertext" }',
        "FILE: primitive toy: operation open: field 'verdict': cannot be named so\n  " + NAMES,
    ),
    (
        '{ name = "ciphertext", bytes = "message" }',
        '{ name = "ciphertext", bytes = "text" }',
        "FILE: primitive toy: operation seal: ciphertext: bytes: unknown name 'text' in 'text'\n"
        "  known here: ad, key, message",
    ),
    (
        '{ name = "ciphertext", bytes = "message" }',
        '{ name = "ciphertext" }',
        "FILE: primitive toy: operation seal: ciphertext: measured: must be at least 1\n"
        "  each call chooses its length: say which one is measured",
    ),
    (
        '{ name = "ciphertext", bytes = "message" }, { name = "tag", bytes = 8 }]',
        '{ name = "ciphertext", measured = 8 }, { name = "tag", measured = 8 }]',
        "FILE: primitive toy: operation seal: outputs: more than one whose length each call "
        "chooses",
    ),
    (
        'outputs = [{ name = "ciphertext", bytes = "message" }, { name = "tag", bytes = 8 }]',
        "outputs = []",
        "FILE: primitive toy: operation seal: no outputs",
    ),
    (
        'payload = "message"',
        'payload = "plaintext"',
        "FILE: primitive toy: operation seal: payload: no such input: 'plaintext'\n"
        "  of key, ad, message",
    ),
    (
        'payload = "message"\n',
        "",
        "FILE: primitive toy: operation seal: block_bytes: there is no payload that has blocks",
    ),
    (
        'payload = "message"\n',
        'payload = "message"\npadding_bytes = 17\n',
        "FILE: primitive toy: operation seal: padding_bytes: must be 0 to 16, not 17",
    ),
    (
        '{ name = "message" }]',
        '{ name = "message", multiple = 5 }]',
        "FILE: primitive toy: operation seal: block_bytes: must be a multiple of the payload's "
        "`multiple`",
    ),
    (
        '{ name = "message" }]',
        '{ name = "message", multiple = 0 }]',
        "FILE: primitive toy: operation seal: message: lengths must be at least 1",
    ),
    (
        '{ name = "message" }]',
        '{ name = "message", most = 0 }]',
        "FILE: primitive toy: operation seal: message: most: cannot be 0\n"
        "  of a field without `bytes`, and at least 1",
    ),
    (
        '{ name = "key", bytes = 16 }, { name = "ad" }',
        '{ name = "key", bytes = 16, most = 20 }, { name = "ad" }',
        "FILE: primitive toy: operation seal: key: most: cannot be 20\n"
        "  of a field without `bytes`, and at least 1",
    ),
    (
        'inverse = "seal"',
        'inverse = "seal"\nkeys = "make"',
        "FILE: primitive toy: operation open: keys: no such operation: 'make'",
    ),
    (
        'inverse = "seal"',
        'inverse = "seal"\nkeys = "seal"',
        "FILE: primitive toy: operation open: keys: seal may reject, or takes any length\n"
        "  keys are made out of any seed of a fixed length",
    ),
    (
        'inverse = "seal"\npayload = "ciphertext"\nblock_bytes = 16\n',
        'inverse = "seal"\nkeys = "make"\npayload = "ciphertext"\nblock_bytes = 16\n'
        '[[primitive.operation]]\nname = "make"\nkind = "keygen"\n'
        'inputs = [{ name = "seed", bytes = 4 }]\noutputs = [{ name = "pair", bytes = 4 }]\n',
        "FILE: primitive toy: operation open: keys: make gives no input of open",
    ),
    (
        'inverse = "seal"',
        'inverse = "close"',
        "FILE: primitive toy: operation open: inverse: no such operation: 'close'",
    ),
    (
        '    { name = "ad" },\n',
        '    { name = "ad" },\n    { name = "nonce", bytes = 4 },\n',
        "FILE: primitive toy: operation open: inverse: seal neither takes nor gives nonce",
    ),
    (
        'inverse = "seal"',
        'inverse = "open"',
        "FILE: primitive toy: operation open: inverse: open may reject\n"
        "  an inverse makes what is accepted, out of any inputs",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), OPERATION_CASES)
def test_broken_operation_is_refused(
    toy: Path, replace: Replace, old: str, new: str, message: str
) -> None:
    replace(toy, old, new)
    assert refusal(toy) == message


STREAM_CASES = [
    (
        'fields = ["ad", "message", "ciphertext", "tag"]',
        'fields = ["message", "ciphertext", "tag"]',
        "FILE: design rtl: field ad: is on no stream, for the operation seal\n  " + PLACED,
    ),
    (
        'fields = ["key"]',
        'fields = ["key", "tag"]',
        "FILE: design rtl: field tag: is on s_axis and s_axis_key, for the operation open\n  "
        + PLACED,
    ),
    (
        "parameters = { WIDTH = 5 }",
        'parameters = { WIDTH = 5 }\nregisters = { key_i = "key" }',
        "FILE: design rtl: field key: is on s_axis_key and key_i, for the operation seal\n  "
        + PLACED,
    ),
    (
        '"tag", "verdict"]',
        '"tag"]',
        "FILE: design rtl: field verdict: is on no stream, for the operation open\n  " + PLACED,
    ),
    (
        'fields = ["key"]',
        "fields = []",
        "FILE: design rtl: stream s_axis_key: has no field\n"
        "  a stream carries the fields of operations",
    ),
    (
        'fields = ["key"]',
        'fields = ["key", "nonce"]',
        "FILE: design rtl: stream s_axis_key: no such field: 'nonce'\n"
        "  it takes of: ad, ciphertext, key, message, tag",
    ),
    (
        'fields = ["message", "ciphertext", "tag", "verdict"]',
        'fields = ["message", "ciphertext", "tag", "key"]',
        "FILE: design rtl: stream m_axis: no such field: 'key'\n"
        "  it gives of: ciphertext, message, tag, verdict",
    ),
    (
        'fields = ["key"]',
        'fields = ["key"], header = ["operation", "nonce"]',
        "FILE: design rtl: stream s_axis_key: no such field: 'nonce'\n"
        "  it takes of: ad, ciphertext, key, message, tag",
    ),
    (
        'user = "operation"',
        'user = "nonce_bytes"',
        "FILE: design rtl: stream s_axis: user: unknown name 'nonce_bytes' in 'nonce_bytes'\n"
        "  known here: ad_bytes, ciphertext_bytes, key_bytes, message_bytes, operation, tag_bytes",
    ),
    (
        '"tag", "verdict"]',
        '"tag", "verdict"], user = "operation"',
        "FILE: design rtl: stream m_axis: only a stream that takes fields has `user` or `header`",
    ),
    (
        'port = "s_axis_key"',
        'port = "key"',
        "FILE: design rtl: stream key: not a name of a stream\n"
        "  it begins with s_axis or m_axis, and is the only one of its name",
    ),
    (
        'port = "s_axis_key"',
        'port = "s_axis"',
        "FILE: design rtl: stream s_axis: not a name of a stream\n"
        "  it begins with s_axis or m_axis, and is the only one of its name",
    ),
    (
        'port = "s_axis_key"',
        'port = "s_axis-key"',
        "FILE: design rtl: not a name of Verilog: 's_axis-key'",
    ),
    (
        '    { port = "s_axis_key", fields = ["key"] },\n',
        "",
        "FILE: design rtl: field key: is on no stream, for the operation seal\n  " + PLACED,
    ),
    (
        "parameters = { WIDTH = 5 }",
        'parameters = { WIDTH = 5 }\nregisters = { ad_i = "ad" }',
        "FILE: design rtl: registers.ad_i: not such a field: 'ad'\n"
        "  a register holds an input of fixed length: key, tag",
    ),
    (
        "parameters = { WIDTH = 5 }",
        'parameters = { WIDTH = 5 }\nregisters = { "key[0]" = "key" }',
        "FILE: design rtl: not a name of Verilog: 'key[0]'",
    ),
    (
        "parameters = { WIDTH = 5 }",
        'parameters = { WIDTH = 5 }\ninterface = "lwc"',
        "FILE: design rtl: streams: not for the interface lwc\n"
        "  its ports are those of the LWC hardware API",
    ),
    (
        "parameters = { WIDTH = 5 }",
        'parameters = { WIDTH = 5 }\ninterface = "wishbone"',
        "FILE: design[0].interface: invalid enum value 'wishbone'",
    ),
    (
        "parameters = { WIDTH = 5 }",
        'parameters = { WIDTH = 5 }\nrelease = "early"',
        "FILE: design[0].release: invalid enum value 'early'",
    ),
    (
        "parameters = { WIDTH = 5 }",
        'parameters = { WIDTH = 5 }\noperations = ["seal", "close"]',
        "FILE: design rtl: operations: 'close' is none of the primitive's\n  toy has seal, open",
    ),
    (
        "parameters = { WIDTH = 5 }",
        'parameters = { WIDTH = 5 }\noperations = ["seal", "seal"]',
        "FILE: design rtl: operations: 'seal' stands twice\n  toy has seal, open",
    ),
    (
        'sources = ["toy.c"]',
        'sources = ["toy.c"]\noperations = ["close"]',
        "FILE: software plain: operations: 'close' is none of the primitive's\n"
        "  toy has seal, open",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), STREAM_CASES)
def test_broken_streams_are_refused(
    toy: Path, replace: Replace, old: str, new: str, message: str
) -> None:
    replace(toy, old, new)
    assert refusal(toy) == message


def test_call_that_no_stream_begins_is_refused(toy: Path, replace: Replace) -> None:
    replace(toy, '{ name = "ad" }, { name = "message" }]', '{ name = "message", bytes = 16 }]')
    replace(toy, '    { name = "ad" },\n', "")
    replace(toy, 'fields = ["ad", "message", "ciphertext", "tag"]', 'fields = ["ciphertext"]')
    replace(toy, '    { port = "s_axis_key", fields = ["key"] },\n', "")
    registers = 'registers = { key_i = "key", message_i = "message", tag_i = "tag" }'
    replace(toy, "parameters = { WIDTH = 5 }", f"parameters = {{ WIDTH = 5 }}\n{registers}")
    assert refusal(toy) == (
        "FILE: design rtl: streams: no stream takes a field of the operation seal\n"
        "  a call begins with a beat: registers alone cannot hold it"
    )
    # A first packet that says which operation it is begins it, too.
    replace(toy, 'fields = ["ciphertext"]', 'fields = ["ciphertext"], header = ["operation"]')
    assert load(toy).designs[0].streams[0].header == ("operation",)


CLAIM_CASES = [
    (
        '[design.claims.open]\ncycles_per_block = ["rounds / WIDTH", 3]\n',
        "",
        "FILE: design rtl: claims.open: missing\n  what is claimed is measured",
    ),
    (
        "[design.claims.open]",
        "[design.claims.close]",
        "FILE: design rtl: claims: no such operation: 'close'\n"
        "  claims stand by operation: seal, open",
    ),
    (
        '"rounds + key_bytes + tag_bytes"',
        '"rounds + message_bytes"',
        "FILE: design rtl: claims.seal.latency_cycles: unknown name 'message_bytes' in "
        "'rounds + message_bytes'\n  " + KNOWN,
    ),
    (
        '"rounds + key_bytes + tag_bytes"',
        '"rounds * N"',
        "FILE: design rtl: claims.seal.latency_cycles: unknown name 'N' in 'rounds * N'\n  "
        + KNOWN,
    ),
    (
        '"rounds + key_bytes + tag_bytes"',
        '"rounds / WIDTH"',
        "FILE: design rtl: claims.seal.latency_cycles: 12/5 cycles\n  " + WHOLE,
    ),
    (
        '"rounds * N + 20"',
        '"rounds + N / 2"',
        "FILE: design rtl: claims.seal.total_cycles of N = 1: 25/2 cycles\n  " + WHOLE,
    ),
    (
        '"rounds * N + 20"',
        '"rounds * (N - 2)"',
        "FILE: design rtl: claims.seal.total_cycles of N = 1: -12 cycles\n  no time is below 0",
    ),
    (
        '"rounds * N + 20"',
        '"rounds * M"',
        "FILE: design rtl: claims.seal.total_cycles: unknown name 'M' in 'rounds * M'\n"
        "  known here: N, WIDTH, block_bytes, key_bytes, rounds, tag_bytes",
    ),
    (
        '["rounds / WIDTH", 3]',
        '[3, "rounds / WIDTH"]',
        "FILE: design rtl: claims.open.cycles_per_block: 3 to 12/5 cycles\n"
        "  the least stands first",
    ),
    (
        '["rounds / WIDTH", 3]',
        "[1, 2, 3]",
        "FILE: design[0].claims[...].cycles_per_block: expected `array` of length 2, got 3",
    ),
    (
        "parameters = { WIDTH = 5 }",
        'parameters = { WIDTH = "rounds / 5" }',
        "FILE: design rtl: parameters.WIDTH: a division leaves a remainder in 'rounds / 5'\n"
        "  use // to round down",
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), CLAIM_CASES)
def test_broken_claims_are_refused(
    toy: Path, replace: Replace, old: str, new: str, message: str
) -> None:
    replace(toy, old, new)
    assert refusal(toy) == message


VARIANT = "parameters = { WIDTH = [6, 4] }"
IN_VARIANT = "FILE: design rtl: variant rtl-w{WIDTH}: "
VARIANT_CASES = [
    (
        VARIANT,
        "parameters = { DEPTH = [6] }",
        IN_VARIANT + "parameters: no such parameter: 'DEPTH'\n  the design has WIDTH",
    ),
    (VARIANT, "parameters = { WIDTH = [] }", IN_VARIANT + "parameters: no values of 'WIDTH'"),
    (
        'name = "rtl-w{WIDTH}"',
        'name = "rtl-w"',
        "FILE: design rtl: variant rtl-w: name: one name for all values of WIDTH\n"
        "  write {WIDTH} where its value is to stand",
    ),
    (
        'name = "rtl-w{WIDTH}"',
        'name = "rtl-w{WIDTH}-{DEPTH}"',
        "FILE: design rtl: variant rtl-w{WIDTH}-{DEPTH}: name: cannot be filled in: 'DEPTH'",
    ),
    (
        VARIANT,
        "parameters = { WIDTH = [6, 6] }",
        "FILE: design: 'rtl-w6' stands twice\n  names are unique",
    ),
    # A list of formulas would make names of them.
    (
        VARIANT,
        "parameters = { WIDTH = [6, 'rounds / 4'] }",
        "FILE: design: not a name: 'rtl-wrounds / 4'\n  letters, digits, '-' and '.'",
    ),
    (
        'name = "rtl-w{WIDTH}"',
        'name = "rtl-w{WIDTH}"\nhls = { std = "c99" }',
        IN_VARIANT + "hls: the design has no C",
    ),
    (
        VARIANT,
        "parameters = { WIDTH = [6] }\nclaims.close = { cycles_per_block = 1 }",
        "FILE: design rtl-w6: claims: no such operation: 'close'\n"
        "  claims stand by operation: seal, open",
    ),
    (
        VARIANT,
        "parameters = { WIDTH = [7] }\nclaims.seal = { latency_cycles = 'rounds / WIDTH' }",
        "FILE: design rtl-w7: claims.seal.latency_cycles: 12/7 cycles\n  " + WHOLE,
    ),
]


@pytest.mark.parametrize(("old", "new", "message"), VARIANT_CASES)
def test_broken_variant_is_refused(
    toy: Path, replace: Replace, old: str, new: str, message: str
) -> None:
    replace(toy, old, new)
    assert refusal(toy) == message


def test_variant_has_all_else_of_its_design(toy: Path, replace: Replace) -> None:
    replace(
        toy,
        VARIANT,
        'title = "{WIDTH} wide"\nparameters = { WIDTH = [6, 4] }\ndefault = false\n'
        "claims.open = { cycles_per_block = 9 }",
    )
    own, six, four = load(toy).designs
    assert [own.name, six.name, four.name] == ["rtl", "rtl-w6", "rtl-w4"]
    assert [own.title, six.title, four.title] == ["all of it", "6 wide", "4 wide"]
    assert [own.default, six.default, four.default] == [True, False, False]
    assert [one.parameters["WIDTH"] for one in (own, six, four)] == [5, 6, 4]
    assert own.streams == six.streams and own.sources == six.sources
    assert four.claim("seal", "cycles_per_block") == (3, 3)
    assert own.claim("open", "cycles_per_block") == (Fraction(12, 5), 3)
    assert four.claim("open", "cycles_per_block") == (9, 9)


def test_variant_of_one_value_is_one_design(toy: Path, replace: Replace) -> None:
    replace(toy, VARIANT, "parameters = { WIDTH = 4 }")
    assert [design.name for design in load(toy).designs] == ["rtl", "rtl-w4"]


def test_format_that_no_reader_knows_is_refused_with_those_there_are(
    toy: Path, replace: Replace
) -> None:
    replace(toy, 'format = "json"', 'format = "csv"')
    assert {"json", "cavp-messages", "cavp-chain"} <= {*kat.formats()}
    assert refusal(toy) == (
        "FILE: primitive toy: kat: no such format: 'csv'\n  there are: " + ", ".join(kat.formats())
    )


def test_older_description_is_refused_by_its_version_first(toy: Path) -> None:
    toy.write_text('schema = 1\ntitle = "x"\n[[primitive]]\nname = "x"\nkind = "hash"\n')
    assert refusal(toy) == ("FILE: schema: version 1 is not known\n  this is 2: see docs/cores.md")


def test_known_answer_without_a_field_is_refused(toy: Path) -> None:
    texts = {
        '[{"operation": "seal", "key": "00", "ad": "", "message": "", "ciphertext": ""}]': (
            "kat.json: record 1: lacks tag\n  a record is {field: hex of each field, operation: "
            "its name, if there are several}"
        ),
        "[]": "kat.json: no record of the primitive's operations\n  see `format`",
    }
    for text, message in texts.items():
        (toy.parent / "kat.json").write_text(text)
        with pytest.raises(InputError) as raised:
            load(toy).primitives[0].vectors()
        assert str(raised.value) == f"{toy.parent}/{message}"


KECCAK = {
    "rtl": (64, 1, 1),
    "rtl-w32": (32, 1, 1),
    "rtl-w128": (128, 1, 1),
    "rtl-2r": (128, 2, 1),
    "rtl-3r": (128, 3, 1),
    "rtl-4r": (128, 4, 1),
    "rtl-fold2": (64, 1, 2),
    "rtl-fold4": (64, 1, 4),
    "rtl-fold8": (64, 1, 8),
    "rtl-fold16": (64, 1, 16),
}
# Of SHA3-256, blocks of 136 bytes: cycles from block to block, and of the latency.
CYCLES = {
    "rtl": (24, 47),
    "rtl-w32": (34, 68),
    "rtl-w128": (24, 39),
    "rtl-2r": (12, 27),
    "rtl-3r": (9, 23),
    "rtl-4r": (9, 21),
}


def test_keccaks_variants_are_designs_of_their_own() -> None:
    found = {design.name: design for design in catalog.designs("sha3-256")}
    names = ("DATA_BITS", "ROUNDS_PER_CYCLE", "FOLD")

    def told(design: Design) -> tuple[int, ...]:
        return tuple(design.parameters[name] for name in names)

    rtl = {name: told(one) for name, one in found.items() if name.startswith("rtl")}
    assert rtl == KECCAK
    assert {name for name, one in found.items() if one.default} == {"rtl", "hls-stream"}
    claims = ("cycles_per_block", "latency_cycles")
    for name, cycles in CYCLES.items():
        claimed = [found[name].claim("hash", claim) for claim in claims]
        assert claimed == [(n, n) for n in cycles], name
    assert len({one.sources for name, one in found.items() if name.startswith("rtl")}) == 1

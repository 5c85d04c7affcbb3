# SPDX-License-Identifier: Apache-2.0
"""The Skein reference against the designers' golden known answers of version 1.2, which are of
Skein-512 with 256 and 512 bits of output.
"""

from __future__ import annotations

import re
from pathlib import Path

from lydite.cores.skein import spec

GOLDEN = Path(spec.__file__).parent / "kat" / "skein_golden_kat_v1.2_skein512.txt"


def test_golden_known_answers() -> None:
    text = GOLDEN.read_text(encoding="ascii")
    heads = re.findall(r":Skein-512: +(\d+)-bit hash, msgLen = +(\d+) bits", text)
    parts = re.split(r":Skein-512: [^\n]*\n", text)[1:]
    assert len(heads) == len(parts) == 39
    checked = 0
    for (output_bits, message_bits), part in zip(heads, parts, strict=True):
        if int(message_bits) % 8:
            continue
        data, result = part.split("Result:")
        message = bytes.fromhex("".join(re.findall(r"\b[0-9A-F]{2}\b", data.split("data:")[-1])))
        digest = bytes.fromhex("".join(re.findall(r"\b[0-9A-F]{2}\b", result.split("---")[0])))
        assert (8 * len(message), 8 * len(digest)) == (int(message_bits), int(output_bits))
        assert spec.skein512(message, len(digest)) == digest
        checked += 1
    assert checked > 30

# SPDX-License-Identifier: Apache-2.0
"""Links and configurations: figures that fit together, and parts that there are."""

from __future__ import annotations

import msgspec
import pytest

from lydite.base import InputError
from lydite.targets import families, links


def test_links_have_sources_and_fit_their_words() -> None:
    found = links.links()
    assert len({link.name for link in found}) == len(found)
    for link in found:
        assert link.source and link.title
        # A DMA of 250 MHz takes what the link gives.
        assert link.mbyte_per_s <= 250 * link.word_bytes


def test_configured_parts_are_parts() -> None:
    devices = {part.device for family in families() for part in family.part}
    known = [device for device in devices if links.configuration(device) is not None]
    assert len(known) >= 17
    assert links.configuration("XC7Z020") is None


@pytest.mark.parametrize(
    "change", [{"word_bytes": 3}, {"mbyte_per_s": 0.0}, {"read_ns": -1.0}, {"bursts": 0}]
)
def test_wrong_figures_are_refused(change: dict[str, float]) -> None:
    link = msgspec.structs.replace(links.find("axi-hp64"), **change)
    with pytest.raises(InputError, match="axi-hp64"):
        links.check(link)

# SPDX-License-Identifier: Apache-2.0
"""What joins an accelerator to its host, and how parts are configured: `hosts/links.toml`."""

from __future__ import annotations

import functools
import math

from lydite.base import schema
from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.targets.family import FOLDER

FILE = FOLDER / "hosts" / "links.toml"


class Link(Data, frozen=True, kw_only=True):
    """A link; each figure is modelled, and has its source in the file.

    Attributes
    ----------
    name, title, source : str
        On the command line; in full; where the figures come from.
    word_bytes : int
        Of a word of the DMA's streams: a power of two, 1 to 64.
    mbyte_per_s : float
        Payload that it moves, each way, in 10^6 bytes a second.
    read_ns, write_ns : float
        From a request of memory to its first byte; from a burst's last byte to its answer.
    register_write_ns, register_read_ns : float
        Of the host for an access to a register, beside the accelerator's own bus.
    interrupt_ns : float
        From the interrupt's line to the first instruction that knows of it.
    packet_ns : float
        Of the DMA between packets.
    burst_words, bursts : int
        Words of a burst, and how many bursts may be under way.
    """

    name: str
    title: str
    source: str
    word_bytes: int
    mbyte_per_s: float
    read_ns: float
    write_ns: float
    register_write_ns: float
    register_read_ns: float
    interrupt_ns: float
    packet_ns: float = 0.0
    burst_words: int
    bursts: int


class Configuration(Data, frozen=True, kw_only=True):
    """How parts are configured before they work.

    Attributes
    ----------
    devices : mapping
        Name of a part, as targets have it, to the bytes of its bitstream.
    port : str
        What it is loaded through.
    mbyte_per_s : float
        How fast.
    """

    devices: dict[str, int]
    port: str
    mbyte_per_s: float
    source: str


class _File(Data, frozen=True, kw_only=True):
    link: tuple[Link, ...]
    configuration: tuple[Configuration, ...]


@functools.cache
def _load() -> _File:
    found = schema.load(FILE, _File, "links")
    for link in found.link:
        check(link)
    return found


def check(link: Link) -> None:
    """Refuse figures that no link has.

    Raises
    ------
    InputError
        The message names the link.
    """
    where = f"{FILE}: {link.name}"
    if link.word_bytes not in (1, 2, 4, 8, 16, 32, 64):
        raise InputError(where, f"word_bytes is a power of two up to 64, not {link.word_bytes}")
    times = [getattr(link, name) for name in link.__struct_fields__ if name.endswith("_ns")]
    if not all(math.isfinite(value) and value >= 0 for value in times):
        raise InputError(where, "a time must be 0 or more")
    if not (math.isfinite(link.mbyte_per_s) and link.mbyte_per_s > 0):
        raise InputError(where, "mbyte_per_s must be above 0")
    if link.burst_words < 1 or link.bursts < 1:
        raise InputError(where, "burst_words and bursts must be at least 1")


def links() -> tuple[Link, ...]:
    """Give all links, in the order of the file."""
    return _load().link


def find(name: str) -> Link:
    """Give the link of a name.

    Raises
    ------
    InputError
        There is none.
    """
    for link in links():
        if link.name == name:
            return link
    known = ", ".join(link.name for link in links())
    raise InputError("--link", f"no such link: {name!r}", f"there are: {known}")


def configuration(device: str) -> Configuration | None:
    """Give how a part is configured; None where no figures are known."""
    return next((one for one in _load().configuration if device in one.devices), None)

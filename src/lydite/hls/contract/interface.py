# SPDX-License-Identifier: Apache-2.0
"""The arguments of the top function and the ports that they are, named as Vitis HLS names them.

* block protocol `ap_ctrl_hs`: `ap_clk`, `ap_rst` (synchronous, active high), `ap_start`, `ap_done`,
  `ap_idle`, `ap_ready`, and `ap_return` unless the function is void. Hold `ap_start` high with the
  scalar arguments stable until `ap_ready`; `ap_ready` and `ap_done` are high for the same one
  cycle, in which `ap_return` is valid;
* a pipelined function takes calls while others are at work: `ap_ready` is high in the cycle that
  takes a call, in which scalar arguments are sampled, and `ap_done` in its last one; `ap_idle` is
  high from the end of the last one's interval on. Arrays are one memory for all calls at work;
* so does a function that is one pipelined loop with `rewind`, which takes scalar arguments in the
  call's first cycle and gives `ap_ready` when its last iteration has begun;
* else a scalar argument `n` is an input `n`, sampled in the cycle in which `ap_start` meets
  `ap_idle`;
* an array argument `a` is one or two `ap_memory` ports: `a_address0` (word address), `a_ce0`, and,
  where the hardware writes it, `a_we0` (one bit, or one bit a byte: `write_lanes`) and `a_d0`, and,
  where it reads it, `a_q0`, which must be valid in the cycle after `a_ce0` and hold until the next;
  the second port has 1 for 0. Word `i` holds bytes `i*n .. i*n+n-1` of the C array, little-endian,
  with `n = element_width / 8`. Addresses beyond the last word may be read, by a load that is made
  before it is known to be needed; they are never written by a program that stays in its arrays.
* a stream argument `s` (of `lydite_stream.h`) is an AXI4-Stream port: `s_tdata`, `s_tkeep`,
  `s_tlast`, `s_tuser` if its type has one, `s_tvalid`, `s_tready`; an input if the program reads
  it, an output if it writes it. Each of its outputs comes out of a register, and two beats are
  taken before the program asks for them, or wait after it gave them, unless `register_mode` says
  otherwise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

from lydite.hls.contract.banking import Bank, Direction
from lydite.hls.contract.register_map import RegisterMap

# By which values come and go one by one; `s_axilite` and `inside` have no ports of their own: the
# registers of the bus, and the two ends of what lies between processes.
Handshake: TypeAlias = Literal[
    "axis", "ap_fifo", "ap_hs", "ap_vld", "ap_ack", "ap_none", "s_axilite", "inside"
]
# Of a stream with ports, what lies between them and the program: registers on the way of data and
# valid (`forward`), of ready (`reverse`), of both, or none.
Registers: TypeAlias = Literal["both", "forward", "reverse", "off"]
REGISTERS: tuple[Registers, ...] = get_args(Registers)
_SPARE: dict[Registers, int] = {"both": 2, "forward": 1, "reverse": 1, "off": 0}
# Of an argument, as a directive asks for it.
Mode: TypeAlias = Literal[Handshake, "ap_memory", "ap_stable", "ap_ovld"]
BlockProtocol: TypeAlias = Literal["ap_ctrl_hs", "ap_ctrl_none"]
HANDSHAKES: tuple[Handshake, ...] = get_args(Handshake)
# What the `keep` of a beat has in C.
MAX_KEEP_BITS = 64
_Suffixes: TypeAlias = tuple[str, str | None, str | None]
# Protocols of a handshake: suffixes of the ports for data, valid and ready, in and out.
_PORTS: dict[Handshake, tuple[_Suffixes, _Suffixes]] = {
    "axis": (("_tdata", "_tvalid", "_tready"), ("_tdata", "_tvalid", "_tready")),
    "ap_fifo": (("_dout", "_empty_n", "_read"), ("_din", "_write", "_full_n")),
    "ap_hs": (("", "_ap_vld", "_ap_ack"), ("", "_ap_vld", "_ap_ack")),
    "ap_vld": (("", "_ap_vld", None), ("", "_ap_vld", None)),
    "ap_ack": (("", None, "_ap_ack"), ("", None, "_ap_ack")),
    "ap_none": (("", None, None), ("", None, None)),
    "s_axilite": (("", None, None), ("", "_ap_vld", None)),
}


def handshake(protocol: Handshake, port: str, *, writes: bool) -> tuple[str, str, str]:
    """Give the names of the ports for data, valid and ready; empty where there is none.

    Valid is what the giving side says, ready what the taking side says, whatever they are called.
    """
    names = [port + suffix if suffix is not None else "" for suffix in _PORTS[protocol][writes]]
    return names[0], names[1], names[2]


@dataclass(frozen=True, slots=True)
class ScalarArg:
    """A scalar argument: an input port of its own name, or a handshake.

    Attributes
    ----------
    name : str
        Name in the C source and of the port (a Verilog keyword gets a trailing underscore: `port`).
    port : str
        Name of the port.
    index : int
        Position in the C parameter list, from 0.
    width : int
        Bits of the port: those of the C type (`_Bool` 1, `_BitInt(5)` 5, `uint8_t` 8).
    signed : bool
        Whether the C type is signed.
    c_type : str
        The type as the C source spells it.
    c_bytes : int
        `sizeof` the type.
    protocol : str
        `ap_none`; else the value comes by `Interface.handshakes`.
    """

    name: str
    port: str
    index: int
    width: int
    signed: bool
    c_type: str
    c_bytes: int
    protocol: Mode = "ap_none"


@dataclass(frozen=True, slots=True)
class ArrayArg:
    """A pointer, array or reference argument: `ap_memory` ports named after it.

    Attributes
    ----------
    name : str
        Name in the C source.
    port : str
        Stem of the port names.
    index : int
        Position in the C parameter list, from 0; -1 for the hidden result of a function that
        returns a large struct.
    element_width : int
        Bits of a word of the port, a multiple of 8: the C element's, or for structs the widest word
        that all accesses agree on.
    depth : int
        Number of words.
    direction : str
        `in` if the hardware only reads, `out` if it only writes, else `inout`.
    ports : int
        1 or 2: how many `ap_memory` ports the hardware has for it.
    write_lanes : int
        Bits of `we0`: 1, or `element_width / 8` if the hardware writes single bytes of a word.
    c_type : str
        The parameter as the C source declares it: `const uint8_t key[16]`.
    c_bytes : int
        Bytes of the C object: at most `depth * element_width / 8`.
    unused : bool
        The hardware never touches it: it has no ports.
    banks : tuple of Bank
        If directives cut it: what has ports in its place.
    protocol : str
        `ap_memory`; else the words come and go by `Interface.handshakes`, in order.
    """

    name: str
    port: str
    index: int
    element_width: int
    depth: int
    direction: Direction
    ports: int
    write_lanes: int
    c_type: str
    c_bytes: int
    unused: bool = False
    banks: tuple[Bank, ...] = ()
    protocol: Mode = "ap_memory"


@dataclass(frozen=True, slots=True)
class StreamArg:
    """A stream argument: an AXI4-Stream port named after it.

    Attributes
    ----------
    name : str
        Name in the C source.
    port : str
        Stem of the port names.
    index : int
        Position in the C parameter list, from 0.
    direction : str
        `in` if the hardware reads it, `out` if it writes it.
    data_bytes, user_bits : int
        Bytes of `tdata` and bits of `tkeep`; bits of `tuser`, 0 for none.
    c_type : str
        The parameter as the C source declares it.
    unused : bool
        The hardware never touches it: it has no ports.
    bits : int
        If not 0: the values of another argument, `bits` of data and nothing else.
    protocol : str
        `axis`, `ap_fifo`, `ap_hs`, `ap_vld`, `ap_ack`, `ap_none`.
    registers : str
        Of a stream: `both`, `forward`, `reverse`, `off`.
    per_call : int
        Values that go through it in each call; 0 if the program decides.
    """

    name: str
    port: str
    index: int
    direction: Literal["in", "out"]
    data_bytes: int
    user_bits: int
    c_type: str
    unused: bool = False
    bits: int = 0
    protocol: Handshake = "axis"
    registers: Registers = "both"
    per_call: int = 0

    @property
    def ports(self) -> tuple[str, str, str]:
        """Ports for data, valid and ready; empty where the protocol has none."""
        return handshake(self.protocol, self.port, writes=self.direction == "out")

    @property
    def spare_beats(self) -> int:
        """Beats of an input that are taken before the program asks for them."""
        return _SPARE[self.registers] if self.protocol == "axis" else 0

    @property
    def answers_from_register(self) -> bool:
        """Whether `tready` of an input, or `tvalid` of an output, comes out of a register."""
        if self.direction == "out":
            return self.registers != "reverse"
        return self.registers in ("both", "reverse")

    @property
    def beat_bits(self) -> int:
        """Bits of a beat: from the lowest, data, keep, last, user; or those of data alone."""
        if self.bits:
            return self.bits
        return 9 * self.data_bytes + 1 + self.user_bits


@dataclass(frozen=True, slots=True)
class ExternalPort:
    """A port of a macro that leads outside: `port` of its module, `name` of the top module.

    An input has `value` in co-simulation.
    """

    port: str
    name: str
    direction: Literal["input", "output"]
    width: int
    value: int = 0


@dataclass(frozen=True, slots=True)
class Interface:
    """The hardware's ports and the C function they stand for.

    Attributes
    ----------
    top : str
        Name of the Verilog top module, and of the C function.
    symbol : str
        Linker symbol of the C function in the native run: `top`, or its C++ mangling.
    args : tuple
        Scalars, arrays and streams in C order.
    return_width : int
        Bits of `ap_return`; 0 for a void function, which has no such port.
    return_signed : bool
        Whether the result is signed.
    return_type : str
        The C type of the result.
    return_bytes : int
        `sizeof` the result; 0 for void.
    block : str
        `ap_ctrl_hs`; or `ap_ctrl_none`: none of the `ap_*` ports but clock and reset, a call begins
        where the last one ends, and a result goes nowhere.
    handshakes : tuple of StreamArg
        The ports of scalars and arrays that come and go by one.
    registers : RegisterMap or None
        What is behind the AXI4-Lite port `s_axi_control`.
    interval : int or None
        Least cycles from a call to the next, of a pipelined function, or where a loop is all that
        the function is and rewinds: calls overlap.
    rewound : int
        Cycles from an iteration of such a loop to the next, of whatever calls; else 0.
    external : tuple of ExternalPort
        Ports that lead to macros.
    """

    top: str
    symbol: str
    args: tuple[ScalarArg | ArrayArg | StreamArg, ...]
    return_width: int
    return_signed: bool
    return_type: str
    return_bytes: int
    block: BlockProtocol = "ap_ctrl_hs"
    handshakes: tuple[StreamArg, ...] = ()
    registers: RegisterMap | None = None
    interval: int | None = None
    rewound: int = 0
    external: tuple[ExternalPort, ...] = ()

    @property
    def scalars(self) -> tuple[ScalarArg, ...]:
        """The scalar arguments, in C order."""
        return tuple(arg for arg in self.args if isinstance(arg, ScalarArg))

    @property
    def arrays(self) -> tuple[ArrayArg, ...]:
        """The array arguments, in C order."""
        return tuple(arg for arg in self.args if isinstance(arg, ArrayArg))

    @property
    def streams(self) -> tuple[StreamArg, ...]:
        """The stream arguments that have ports, in C order."""
        return tuple(arg for arg in self.args if isinstance(arg, StreamArg) and not arg.unused)

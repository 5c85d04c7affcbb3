# SPDX-License-Identifier: Apache-2.0
"""Registers behind AXI4-Lite in co-simulation: what `verilog` puts into the harness."""

from __future__ import annotations

from lydite.hls.contract.interface import ArrayArg, Interface, ScalarArg
from lydite.hls.contract.register_map import Register, RegisterMap
from lydite.hls.emit import axi_lite
from lydite.sim.cosim.native import ADDRESS_BYTES, Layout
from lydite.sim.cosim.streams import Signal


def signals(found: RegisterMap) -> list[Signal]:
    """Give the ports of the bus."""
    return [
        Signal(_short(port.name), port.name, port.width, port.direction)
        for port in axi_lite.bus_ports(found)
    ]


def _short(name: str) -> str:
    return name.replace(f"{axi_lite.BUS}_", "bus_").lower()


def constants(face: Interface) -> list[str]:
    """Give how calls are started."""
    free = face.block == "ap_ctrl_none"
    control = face.registers is not None and face.registers.control
    return [
        f"constexpr bool kFree = {'true' if free else 'false'};",
        f"constexpr bool kControl = {'true' if control else 'false'};",
    ]


def accesses(face: Interface, cut: Layout) -> list[str]:
    """Give the members of the harness that write and read registers."""
    if face.registers is None:
        return [
            *("void bus_write(uint64_t, uint32_t) {}", "uint32_t bus_read(uint64_t) { return 2; }"),
            *("void put_registers(const uint8_t *) {}", "void get_registers(uint8_t *) {}"),
            "void quiet_bus() {}",
        ]
    put, get = [], []
    for item in face.registers.registers:
        offset, size = _place(face, cut, item)
        for word in range(item.words):
            count = min(4, size - 4 * word)
            address = item.offset + 4 * word
            at = offset + 4 * word
            if item.writes:
                get.append(f"get_word(out + {at}, {count}, bus_read({address}));")
            else:
                put.append(f"bus_write({address}, word_of(record + {at}, {count}));")
    return [
        *_BUS,
        "void put_registers(const uint8_t *record) {",
        *(f"  {line}" for line in put or ["(void)record;"]),
        "}",
        "void get_registers(uint8_t *out) {",
        *(f"  {line}" for line in get or ["(void)out;"]),
        "}",
    ]


def _place(face: Interface, cut: Layout, item: Register) -> tuple[int, int]:
    """Give where a register's value is, in the record or in the outputs, and its bytes."""
    if item.name == "return":
        return cut.result, cut.result_bytes
    arg = next(arg for arg in face.args if arg.name == item.name)
    if isinstance(arg, ScalarArg):
        scalar = next(field for field in cut.scalars if field.arg.name == item.name)
        return scalar.offset, scalar.bytes
    assert isinstance(arg, ArrayArg), "streams are not behind the bus"
    array = next(field for field in cut.arrays if field.arg.name == item.name)
    return (array.out if item.writes else array.offset + ADDRESS_BYTES), array.bytes


_BUS = (
    "static uint32_t word_of(const uint8_t *bytes, size_t count) {",
    "  uint32_t word = 0;",
    "  std::memcpy(&word, bytes, count);",
    "  return word;",
    "}",
    "static void get_word(uint8_t *bytes, size_t count, uint32_t word) {",
    "  std::memcpy(bytes, &word, count);",
    "}",
    "// Waits at random where the other side may wait.",
    "void bus_pause() {",
    "  while (job_->stalls && !quiet_ && random_.next() % 4 < job_->stalls) bus_cycle();",
    "}",
    "void bus_wait(const char *what) {",
    '  if (++bus_waits_ > 1000) throw Failure(std::string("the bus hangs: no ") + what);',
    "}",
    "void quiet_bus() {",
    "  top_->bus_awvalid = top_->bus_wvalid = top_->bus_bready = 0;",
    "  top_->bus_arvalid = top_->bus_rready = 0;",
    "}",
    "void bus_write(uint64_t address, uint32_t data) {",
    "  bus_waits_ = 0;",
    "  bus_pause();",
    "  top_->bus_awaddr = address;",
    "  top_->bus_awvalid = 1;",
    "  for (bool taken = false; !taken;) {",
    "    top_->eval();",
    "    taken = top_->bus_awready;",
    '    bus_wait("AWREADY");',
    "    bus_cycle();",
    "  }",
    "  top_->bus_awvalid = 0;",
    "  bus_pause();",
    "  top_->bus_wdata = data;",
    "  top_->bus_wstrb = 15;",
    "  top_->bus_wvalid = 1;",
    "  for (bool taken = false; !taken;) {",
    "    top_->eval();",
    "    taken = top_->bus_wready;",
    '    bus_wait("WREADY");',
    "    bus_cycle();",
    "  }",
    "  top_->bus_wvalid = 0;",
    "  bus_pause();",
    "  top_->bus_bready = 1;",
    "  for (bool given = false; !given;) {",
    "    top_->eval();",
    "    given = top_->bus_bvalid;",
    '    if (given && top_->bus_bresp) throw Failure("the bus answers a write with an error");',
    '    bus_wait("BVALID");',
    "    bus_cycle();",
    "  }",
    "  top_->bus_bready = 0;",
    "}",
    "uint32_t bus_read(uint64_t address) {",
    "  bus_waits_ = 0;",
    "  bus_pause();",
    "  top_->bus_araddr = address;",
    "  top_->bus_arvalid = 1;",
    "  for (bool taken = false; !taken;) {",
    "    top_->eval();",
    "    taken = top_->bus_arready;",
    '    bus_wait("ARREADY");',
    "    bus_cycle();",
    "  }",
    "  top_->bus_arvalid = 0;",
    "  bus_pause();",
    "  top_->bus_rready = 1;",
    "  uint32_t data = 0;",
    "  for (bool given = false; !given;) {",
    "    top_->eval();",
    "    given = top_->bus_rvalid;",
    "    if (given) data = top_->bus_rdata;",
    '    if (given && top_->bus_rresp) throw Failure("the bus answers a read with an error");',
    '    bus_wait("RVALID");',
    "    bus_cycle();",
    "  }",
    "  top_->bus_rready = 0;",
    "  return data;",
    "}",
    "unsigned bus_waits_ = 0;",
)

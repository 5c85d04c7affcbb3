# SPDX-License-Identifier: Apache-2.0
"""Random C programs with dataflow regions.

Two to four processes, in a function's body or a loop's, with streams, arrays, results and scalars
between them, in random rates and orders, with random loop directives; streams and arrays of the top
function at random ends. Some call one function twice, or a helper from several processes. A FIFO
holds what a run puts into it, unless the channels are a plain chain of streams: no depth stops it.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

HEAD = "#include <stdbool.h>\n#include <stdint.h>\n#include <lydite_stream.h>\n"
STREAMS = {8: "lydite_stream8", 16: "lydite_stream16", 32: "lydite_stream32", 64: "lydite_stream64"}


@dataclass
class Channel:
    """What goes from one process to another, or between one and the top function's caller."""

    kind: str  # stream, array, result, scalar
    name: str
    bits: int = 32
    size: int = 4  # beats of a run at most, or words
    counted: bool = True  # else the last beat of a run is marked
    depth: int = 0
    outside: bool = False

    @property
    def type(self) -> str:
        """The C type of a beat or word."""
        return f"uint{self.bits}_t"

    @property
    def parameter(self) -> str:
        """How a process that is at one of its ends declares it; see `reader` for the other."""
        if self.kind == "stream":
            return f"{STREAMS[self.bits]} *{self.name}"
        if self.kind == "array":
            return f"{self.type} {self.name}[{self.size}]"
        return f"uint32_t *{self.name}"


@dataclass
class Process:
    """A function: what it takes, what it gives."""

    name: str
    ins: list[Channel] = field(default_factory=list)
    outs: list[Channel] = field(default_factory=list)
    counter: bool = False


class Program:
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(f"lydite hls fuzz dataflow {seed}")
        self.count = self.random.randrange(2, 5)
        self.loop = self.chance(0.45)
        self.trips = self.random.randrange(2, 6)
        self.processes = [Process(f"p{n}") for n in range(self.count)]
        self.channels: list[Channel] = []
        self.outer: list[Channel] = []
        self.relays: list[tuple[Channel, Channel]] = []
        self.helper = self.chance(0.3)
        self.table = self.random.choice((0, 0, 0, 32, 300))
        self.chain = self.chance(0.35)
        self._connect()

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def _channel(self, kind: str, name: str) -> Channel:
        bits = self.random.choice((8, 16, 32, 32, 64))
        size = self.random.choice((1, 2, 3, 4, 6, 8, 13, 16))
        if kind == "array":
            size = self.random.choice((2, 4, 7, 8, 16, 16, 40, 128))
        made = Channel(kind, name, bits, size, self.chance(0.6))
        made.depth = size + self.random.randrange(3)
        if kind == "stream" and self.chain:
            made.depth = self.random.choice((0, 1, 1, 2, 3, 17, 70))
        return made

    def _connect(self) -> None:
        kinds = (
            ("stream",)
            if self.chain
            else ("stream", "stream", "array", "array", "result", "scalar")
        )
        for at in range(self.count - 1):
            for _ in range(1 if self.chain else self.random.randrange(1, 3)):
                self._link(at, at + 1, self.random.choice(kinds))
        for _ in range(0 if self.chain else self.random.randrange(3)):
            first = self.random.randrange(self.count - 1)
            self._link(
                first, self.random.randrange(first + 1, self.count), self.random.choice(kinds)
            )
        for number, process in enumerate(self.processes):
            process.counter = self.loop and self.chance(0.6)
            for side in (process.ins, process.outs):
                end = number == (0 if side is process.ins else self.count - 1)
                if not self.chance(0.9 if end else 0.25):
                    continue
                kind = self.random.choice(("stream", "array"))
                made = self._channel(kind, f"x{len(self.outer)}")
                made.outside = True
                self.outer.append(made)
                side.append(made)

    def _link(self, first: int, second: int, kind: str) -> None:
        result = any(channel.kind == "result" for channel in self.processes[first].outs)
        if kind == "result" and result:
            kind = "scalar"
        made = self._channel(kind, f"c{len(self.channels)}")
        self.channels.append(made)
        self.processes[first].outs.append(made)
        taken = made
        if kind == "stream" and made.counted and self.chance(0.15):
            taken = Channel(kind, f"c{len(self.channels)}", made.bits, made.size, True, made.depth)
            self.channels.append(taken)
            self.relays.append((made, taken))
        self.processes[second].ins.append(taken)

    # Bodies.

    def _mix(self) -> str:
        value = self.random.choice(("acc", "acc", "n"))
        pick = self.random.randrange(7)
        number = self.random.randrange(1, 1000)
        if pick == 0:
            return f"{value} * {number | 1}u + i"
        if pick == 1:
            return f"({value} >> {number % 31}) ^ {number}u"
        if pick == 2:
            return f"acc + (uint32_t)i * {number}u"
        if pick == 3 and self.helper:
            return f"helper({value}, {number}u)"
        if pick == 4 and self.table:
            return f"table[{value} % {self.table}u]"
        if pick == 5:
            return f"(acc & 1 ? n : acc - {number}u)"
        return f"{value} + {number}u"

    def _directive(self) -> list[str]:
        pick = self.random.random()
        if pick < 0.35:
            return [f"#pragma HLS pipeline II={self.random.randrange(1, 4)}"]
        if pick < 0.45:
            return ["#pragma HLS unroll factor=2"]
        if pick < 0.5:
            return ["#pragma HLS unroll"]
        return []

    def _read(self, channel: Channel) -> list[str]:
        """Write one read of a stream, with all that it may look at."""
        name, stream = channel.name, STREAMS[channel.bits]
        lines = [f"{stream}_beat b = {stream}_read({name});"]
        look = ["(uint32_t)b.data"]
        look += ["(uint32_t)b.keep"] * self.chance(0.3) + ["b.last"] * self.chance(0.3)
        if channel.bits == 64:
            look.append("(uint32_t)(b.data >> 32)")
        lines.append(f"acc = acc * {self.random.randrange(1000) | 1}u + ({' ^ '.join(look)});")
        return lines

    def _write(self, channel: Channel, last: str) -> str:
        stream, data = STREAMS[channel.bits], self._mix()
        keep = self.random.choice((f"LYDITE_KEEP({channel.bits // 8})", "acc", "1"))
        beat = (
            f"({stream}_beat){{.data = ({channel.type})({data}), .keep = {keep}, .last = {last}}}"
        )
        return f"{stream}_write({channel.name}, {beat});"

    def _loop(self, trips: str, body: list[str], *, steady: bool = True) -> list[str]:
        inside = (self._directive() if steady else []) + body
        return [f"for (int i = 0; i < {trips}; i++) {{", *inside, "}"]

    def _take(self, channel: Channel) -> list[str]:
        if channel.kind == "stream" and channel.counted:
            return self._loop(str(channel.size), self._read(channel))
        if channel.kind == "stream":
            stream = STREAMS[channel.bits]
            more = self._directive()[:1] if self.chance(0.3) else []
            more = [line for line in more if "pipeline" in line]
            read = self._read(channel)
            return [
                "for (bool more = true; more;) { const int i = 1; (void)i;",
                *more,
                *read,
                "more = !b.last;",
                "}",
                f"(void)sizeof({stream});",
            ]
        index = self.random.choice(
            (
                f"(acc + i) % {channel.size}u",
                f"i % {channel.size}",
                f"{channel.size - 1} - i % {channel.size}",
            )
        )
        trips = str(self.random.choice((1, 3, channel.size)))
        return self._loop(trips, [f"acc = acc * 33u + (uint32_t){channel.name}[{index}];"])

    def _give(self, channel: Channel) -> list[str]:
        if channel.kind == "stream" and channel.counted:
            last = f"i == {channel.size - 1}"
            return self._loop(str(channel.size), [self._write(channel, last), "acc += 77u;"])
        if channel.kind == "stream":
            return [
                f"const int m_{channel.name} = 1 + (int)(acc % {channel.size}u);",
                *self._loop(
                    f"m_{channel.name}",
                    [self._write(channel, f"i == m_{channel.name} - 1"), "acc += 5u;"],
                    steady=self.chance(0.5),
                ),
            ]
        index = self.random.choice(("i", f"{channel.size - 1} - i"))
        body = [f"{channel.name}[{index}] = ({channel.type})({self._mix()});", "acc += 3u;"]
        return self._loop(str(channel.size), body)

    def _both(self, taken: Channel, given: Channel) -> list[str]:
        """Write a loop that reads one stream and writes another one in each iteration."""
        size = min(taken.size, given.size)
        lines = self._loop(
            str(size), [*self._read(taken), self._write(given, f"i == {given.size - 1}")]
        )
        if taken.size > size:
            lines += self._loop(f"{taken.size - size}", self._read(taken))
        if given.size > size:
            lines += self._loop(
                f"{given.size - size}", [self._write(given, f"i == {given.size - size - 1}")]
            )
        return lines

    def _body(self, process: Process) -> list[str]:
        takes = [c for c in process.ins if c.kind in ("stream", "array")]
        gives = [c for c in process.outs if c.kind in ("stream", "array")]
        lines = ["uint32_t acc = n;"]
        if self.chance(0.3):
            lines[0:0] = [f"static uint32_t kept = {self.random.randrange(100)};"]
            lines += ["acc += kept++;"]
        for channel in process.ins:
            if channel.kind in ("result", "scalar"):
                lines.append(f"acc = acc * 5u + {channel.name};")
        if process.counter:
            lines.append("acc ^= (uint32_t)k << 3;")
        counted = [c for c in takes if c.kind == "stream" and c.counted]
        paired = [c for c in gives if c.kind == "stream" and c.counted]
        phases: list[list[str]] = []
        if counted and paired and self.chance(0.7):
            takes.remove(counted[0])
            gives.remove(paired[0])
            phases.append(self._both(counted[0], paired[0]))
        parts = [self._take(c) for c in takes] + phases
        self.random.shuffle(parts)
        parts += [self._give(c) for c in gives]
        if self.chance(0.2):
            self.random.shuffle(parts)
        for part in parts:
            lines += part
        for channel in process.outs:
            if channel.kind == "scalar":
                lines.append(
                    f"{{ const uint32_t i = 3u; *{channel.name} = {self._mix()}; (void)i; }}"
                )
        if any(c.kind == "result" for c in process.outs):
            lines.append("return acc ^ n;")
        return lines

    def _signature(self, process: Process) -> str:
        parts = []
        for channel in process.ins:
            if channel.kind in ("result", "scalar"):
                parts.append(f"uint32_t {channel.name}")
            else:
                constant = "const " if channel.kind == "array" else ""
                parts.append(constant + channel.parameter)
        parts += [c.parameter for c in process.outs if c.kind != "result"]
        parts += ["uint32_t n"] + ["int k"] * process.counter
        result = "uint32_t" if any(c.kind == "result" for c in process.outs) else "void"
        return f"static {result} {process.name}({', '.join(parts)})"

    def _call(self, process: Process) -> str:
        args = []
        for channel in process.ins:
            if channel.kind in ("result", "scalar"):
                args.append(
                    self.random.choice(
                        (channel.name, f"{channel.name} + 3u", f"{channel.name} * n")
                    )
                )
            elif channel.kind == "stream" and not channel.outside:
                args.append(f"&{channel.name}")
            else:
                args.append(channel.name)
        for channel in process.outs:
            if channel.kind == "scalar" or (channel.kind == "stream" and not channel.outside):
                args.append(f"&{channel.name}")
            elif channel.kind != "result":
                args.append(channel.name)
        args.append(self.random.choice(("n", "n + 9u", "7u")))
        args += ["k"] * process.counter
        call = f"{process.name}({', '.join(args)});"
        for channel in process.outs:
            if channel.kind == "result":
                return f"const uint32_t {channel.name} = {call}"
        return call

    def _region(self) -> list[str]:
        lines = ["#pragma HLS dataflow"]
        for channel in self.channels:
            if channel.kind == "stream":
                lines.append(f"{STREAMS[channel.bits]} {channel.name} = {{0}};")
                if channel.depth:
                    lines.append(
                        f"#pragma HLS stream variable={channel.name} depth={channel.depth}"
                    )
            elif channel.kind == "array":
                lines.append(f"{channel.type} {channel.name}[{channel.size}];")
                if self.chance(0.15):
                    kind = self.random.choice(("complete", "cyclic factor=2"))
                    if channel.size <= 16:
                        lines.append(f"#pragma HLS array_partition variable={channel.name} {kind}")
            elif channel.kind == "scalar":
                lines.append(f"uint32_t {channel.name};")
        for process in self.processes:
            lines.append(self._call(process))
            for first, second in self.relays:
                if first in process.outs:
                    lines.append(f"relay{first.bits}_{first.size}(&{first.name}, &{second.name});")
        lines += [
            f"{STREAMS[c.bits]}_free(&{c.name});" for c in self.channels if c.kind == "stream"
        ]
        return lines

    def _relays(self) -> list[str]:
        lines: list[str] = []
        for bits, size in dict.fromkeys((first.bits, first.size) for first, _ in self.relays):
            stream = STREAMS[bits]
            lines += [
                f"static void relay{bits}_{size}({stream} *a, {stream} *b) {{",
                *self._loop(
                    str(size),
                    [f"{stream}_beat t = {stream}_read(a); t.data ^= 3; {stream}_write(b, t);"],
                ),
                "}",
            ]
        return lines

    def _results(self) -> list[str]:
        return [c.name for c in self.channels if c.kind == "result"]

    def program(self) -> str:
        """Give the text."""
        lines = [HEAD]
        if self.table:
            words = ", ".join(str(self.random.randrange(1 << 32)) + "u" for _ in range(self.table))
            lines.append(f"static const uint32_t table[{self.table}] = {{{words}}};")
        lines += [
            "static uint32_t helper(uint32_t a, uint32_t b) {",
            "#pragma HLS inline off",
            "for (int i = 0; i < 3; i++) a = a * 5u + (b >> i); return a; }",
        ] * self.helper
        lines += self._relays()
        for process in self.processes:
            lines += [self._signature(process) + " {", *self._body(process), "}"]
        outer = [
            ("const " if any(c in p.ins for p in self.processes) and c.kind == "array" else "")
            + c.parameter
            for c in self.outer
        ]
        lines.append(f"uint32_t top({', '.join([*outer, 'uint32_t n'])}) {{")
        region = self._region()
        results = self._results()
        if self.loop:
            stop = f"if ({results[0]} % 11u == 4u) break;" if results and self.chance(0.2) else ""
            total = [f"total += {name};" for name in results if self.chance(0.5)]
            lines += [
                "uint32_t total = n;",
                f"for (int k = 0; k < {self.trips}; k++) {{",
                *region,
                *total,
                stop,
                "}",
                "return total;",
                "}",
            ]
        else:
            used = [name for name in results if self.chance(0.5)]
            lines += [*region, f"return {' + '.join(['n', *used])};", "}"]
        return "\n".join([*lines, *self._main(), ""])

    def _main(self) -> list[str]:
        calls = self.random.randrange(1, 4)
        lines = ["int main(void) {", "uint32_t seed = 1, sum = 0;"]
        args = []
        for c in self.outer:
            if c.kind == "array":
                lines.append(f"static {c.type} {c.name}[{c.size}];")
                args.append(c.name)
            else:
                lines.append(f"{STREAMS[c.bits]} {c.name} = {{0}};")
                args.append(f"&{c.name}")
        taken = [c for c in self.outer if any(c in p.ins for p in self.processes)]
        lines.append(f"for (uint32_t call = 0; call < {calls}u; call++) {{")
        for c in taken:
            fill = "seed = seed * 1103515245u + 12345u;"
            if c.kind == "array":
                word = f"{c.name}[i] = ({c.type})(seed >> 7);"
                lines.append(f"for (int i = 0; i < {c.size}; i++) {{ {fill} {word} }}")
                continue
            runs = self.trips if self.loop else 1
            stream = STREAMS[c.bits]
            beat = f".data = ({c.type})(seed >> 5), .keep = seed >> 9 & LYDITE_KEEP({c.bits // 8})"
            lines += [
                f"for (int r = 0; r < {runs}; r++) for (int i = 0; i < {c.size}; i++) {{ {fill}",
                f"{stream}_beat b = {{{beat}, .last = i == {c.size - 1}}};",
                f"{stream}_write(&{c.name}, b); }}",
            ]
        lines += [f"sum += top({', '.join([*args, 'call * 77u + 1u'])});", "}"]
        lines += [f"{STREAMS[c.bits]}_free(&{c.name});" for c in self.outer if c.kind == "stream"]
        return [*lines, "return sum == 12345u;", "}"]


def program(seed: int) -> str:
    """Give the program of a seed."""
    return Program(seed).program()

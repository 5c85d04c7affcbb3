# SPDX-License-Identifier: Apache-2.0
"""Random C programs that call functions which are Verilog modules in hardware.

Each such function is written twice from the same random steps, as the C model and as the module.
The modules hold to their contract and to no more: what a call does not promise to wait for is
garbage, inputs are read early or late where they are held, and one that takes a call every n cycles
is spoilt by a call that comes sooner. They are of every kind: with and without state, start, done,
enable, reset, interval, and ports that lead outside. The calls come from states, from pipelined
loops and from a pipelined top function, as in the programs of `modules`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from module_programs import Modules
from vocabulary import U32, Array, Function, Scope, Type, Var

_OPERATORS = ("+", "-", "*", "&", "|", "^", "<<", ">>", "<", "==", "?")


@dataclass
class Steps:
    """Random steps on unsigned numbers: the same names, widths and values in C and in Verilog."""

    values: list[tuple[str, int]] = field(default_factory=list)
    c: list[str] = field(default_factory=list)
    verilog: list[str] = field(default_factory=list)

    def add(self, name: str, width: int, text: str, hardware: str = "") -> None:
        """Enter a value: its text in C, where all is of 64 bits, and in Verilog."""
        mask = (1 << width) - 1
        self.c.append(f"const uint64_t {name} = ({text}) & {mask:#x}u;")
        self.verilog.append(f"  wire [{width - 1}:0] {name} = {hardware or text};")
        self.values.append((name, width))


@dataclass(frozen=True)
class Shape:
    """How a module works: see `lydite.hls.passes.rtl_macros`.

    `done` is its most cycles beyond `latency`; one that is `late` reads its inputs, which are held,
    at the end.
    """

    kind: str
    latency: int
    ii: int
    start: bool
    done: int
    late: bool
    enable: bool
    reset: bool

    @property
    def stateful(self) -> bool:
        """Whether it has state."""
        return self.kind != "pipelined"

    @property
    def clocked(self) -> bool:
        """Whether it has a clock."""
        return bool(self.latency) or self.stateful


class MacroGenerator(Modules):
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.seed = seed
        self.random.seed(f"lydite hls macros {seed}")
        self.exact = self.chance(0.2)
        self.max_trips = self.random.choice((8, 16, 40))
        self.whole = self.chance(0.25)
        self.most_calls = 24 if self.whole else 6
        self.keeps_arrays = self.whole and self.chance(0.6)
        self.modules: dict[str, str] = {}
        self.tables_of: dict[str, str] = {}

    def narrow(self) -> Type:
        """Choose a type of up to 64 bits."""
        kind = self.type()
        while kind.width > 64:
            kind = self.type()
        return kind

    def shape(self) -> Shape:
        """Choose how a module works; most say how often they take a call."""
        kind = self.random.choice(("pipelined", "pipelined", "stateful", "external"))
        latency = self.random.choice((0, 1, 1, 2, 3, 5, 8))
        stateful = kind != "pipelined"
        done = self.random.choice((1, 3)) if latency and not self.whole and self.chance(0.15) else 0
        # A module keeps a result for so long: it is taken before the next one comes.
        often = self.random.choice((1, 1, 1, 2, 3))
        ii = 0 if done or self.chance(0.15) else min(often, latency + 1)
        clocked = bool(latency) or stateful
        return Shape(
            kind=kind,
            latency=latency,
            ii=ii,
            start=stateful or bool(done) or (clocked and self.chance(0.5)),
            done=done,
            late=not (stateful or ii or done) and self.chance(0.5),
            enable=clocked and not done and self.chance(0.4),
            reset=clocked and self.chance(0.5),
        )

    def steps(self, steps: Steps, count: int) -> None:
        """Add random steps."""
        for _ in range(count):
            (a, wide), (b, other) = (self.random.choice(steps.values) for _ in range(2))
            operator, name = self.random.choice(_OPERATORS), self.name("t")
            width = self.random.choice(
                (wide, other, max(wide, other), self.random.randrange(1, 65))
            )
            if operator in ("<", "=="):
                width, text = 1, f"{a} {operator} {b}"
            elif operator == "?":
                text = f"{a} != 0 ? {b} : {self.random.choice(steps.values)[0]}"
            elif operator in ("<<", ">>"):
                # In Verilog, what is shifted has the width of the result if that is larger.
                text = f"{a} {operator} {self.random.randrange(wide)}"
            else:
                text = f"{a} {operator} {b}"
            steps.add(name, width, text)

    def ended(self, steps: Steps, inputs: int, width: int, name: str) -> None:
        """Add the value that some steps end with, of a width: it follows from all inputs."""
        given = [f"{value} * {2 * at + 3}" for at, (value, _) in enumerate(steps.values[:inputs])]
        steps.add(name, width, f"({' + '.join([*given, '1'])}) + ({steps.values[-1][0]} << 1)")

    def helper(self, scope: Scope) -> Function:
        """Write a helper that is a module, and give its head."""
        if self.chance(0.15):
            return super().helper(scope)
        name, shape = self.name("f"), self.shape()
        least = 0 if shape.stateful else 1
        params: list[Var | Array] = [
            Var(self.name("x"), self.narrow()) for _ in range(self.random.randrange(least, 4))
        ]
        returns = self.narrow() if self.chance(0.93) or not shape.stateful else None
        steps = Steps()
        for param in params:
            port, width = f"{param.name}_i", param.type.width
            steps.add(f"{param.name}_v", width, f"(uint64_t){param.name}", port)
        states = [(self.name("s"), self.random.choice((1, 7, 16, 32, 64)))] * shape.stateful
        for state, width in states:
            steps.add(f"{state}_v", width, state, f"{state}_q")
        outside = self.random.randrange(16) if shape.kind == "external" else 0
        if shape.kind == "external":
            steps.add(f"{name}_w", 4, str(outside), "switch_i")
        inputs = len(steps.values)
        self.steps(steps, self.random.randrange(1, 5))
        for state, width in states:
            self.ended(steps, inputs, width, f"{state}_next")
        self.steps(steps, self.random.randrange(2))
        self.ended(steps, inputs, returns.width if returns else 1, "result")
        body = [*(f"static uint64_t {state};" for state, _ in states), *steps.c]
        body += [f"{state} = {state}_next;" for state, _ in states]
        if returns is not None:
            body.append(f"return ({returns.name})result;")
        else:
            body.append("(void)result;")
        self.define("static ", name, returns, params, body)
        self.modules[name] = module(name, shape, params, steps, states, returns)
        self.tables_of[name] = table(name, shape, params, returns, outside)
        made = Function(name, returns, params, cost=1)
        self.written.append(made)
        return made

    def tables(self, scope: Scope) -> None:
        """Write constant tables, and what no call's argument lets the compiler know."""
        self.lines.append("static uint32_t turn;")
        super().tables(scope)

    def define(
        self,
        prefix: str,
        name: str,
        returns: Type | None,
        params: list[Var | Array],
        body: list[str],
    ) -> None:
        """Write a function definition; the top function calls every module in the end."""
        if name == "top":
            returns, value = returns or U32, body.pop() if returns else "return 0;"
            texts = [value[len("return ") : -1]]
            body = ["turn += 7;", *body]
            for function in self.written:
                if function.name not in self.tables_of:
                    continue
                given = [f"({p.type.name})(turn * {n + 1}u)" for n, p in enumerate(function.params)]
                text = f"{function.name}({', '.join(given)})"
                body += [f"{text};"] * (function.returns is None)
                texts += [text] * (function.returns is not None)
            body.append(f"return {' ^ '.join(f'({text})' for text in texts)};")
        super().define(prefix, name, returns, params, body)

    def top(self, scope: Scope) -> list[Var | Array]:
        """Write the top function, which always has a result."""
        params = super().top(scope)
        self.returns = self.returns or U32
        return params

    def files(self) -> dict[str, str]:
        """Write the program, its modules, and the file that describes these."""
        text = self.program()
        named = list(self.tables_of)
        stem = f"macros_{self.seed}"
        if self.seed % 2:
            sources = dict.fromkeys(named, f"{stem}.v")
            files = {".v": "\n".join(self.modules[name] for name in named)}
        else:
            sources = {name: f"{stem}_{name}.v" for name in named}
            files = {f"_{name}.v": self.modules[name] for name in named}
        tables = [self.tables_of[name].replace("SOURCE", sources[name]) for name in named]
        return {".c": text, ".toml": "\n".join(tables), **files}


def module(
    name: str,
    shape: Shape,
    params: list[Var | Array],
    steps: Steps,
    states: list[tuple[str, int]],
    returns: Type | None,
) -> str:
    """Write a Verilog module that is right when its contract says, and else garbage."""
    pins = [f"input wire [{p.type.width - 1}:0] {p.name}_i" for p in params]
    wires = [("clk", shape.clocked), ("rst", shape.reset), ("start_i", shape.start)]
    wires.append(("ce_i", shape.enable))
    pins += [f"input wire {pin}" for pin, there in wires if there]
    pins += ["output wire done_o"] * bool(shape.done)
    width = returns.width if returns else 1
    pins += [f"output wire [{width - 1}:0] y_o"] * (returns is not None)
    pins += ["input wire [3:0] switch_i", "output wire [7:0] led_o"] * (shape.kind == "external")
    held = "ce_i" if shape.enable else "1'b1"
    start = "start_i" if shape.start else "1'b1"
    lines = [f"module mac_{name} (", "  " + ",\n  ".join(pins), ");"]
    lines += [f"  reg [{bits - 1}:0] {state}_q = 0;" for state, bits in states]
    lines += steps.verilog
    edge: list[str] = [f"{s}_q <= {s}_next;" for s, _ in states]
    edge = [f"if ({start}) begin {' '.join(edge)} end"] if edge else []
    if shape.kind == "external":
        lines.append(f"  assign led_o = {{switch_i, {states[0][0]}_q[0], 3'd5}};")
    text, more, sure = answer(shape, width, start)
    lines += text
    edge += more
    if returns is not None:
        lines.append(f"  assign y_o = {sure};")
    if shape.clocked:
        reset = [f"{s}_q <= 0;" for s, _ in states] + ["busy_q <= 0;"] * bool(shape.start)
        lines.append("  always @(posedge clk) begin")
        lines += [f"    if ({held}) begin", *(f"      {line}" for line in edge), "    end"]
        lines += [f"    if (rst) begin {' '.join(reset)} end"] * shape.reset
        lines.append("  end")
    return "\n".join([*lines, "endmodule", ""])


def answer(shape: Shape, width: int, start: str) -> tuple[list[str], list[str], str]:
    """Write how the result comes: declarations, what an edge does, and what is given out.

    `busy_q` has a bit for each cycle since a call; there is garbage when no answer is due.
    """
    depth = shape.latency + shape.done
    if not depth:
        lines, edge = [], []
        if shape.start and shape.clocked:
            lines, edge = ["  reg [0:0] busy_q = 0;"], ["busy_q <= start_i;"]
        junk = f"{start} ? result : ~result" if shape.start else "result"
        return lines, edge, junk
    lines = [f"  reg [{width - 1}:0] d{n}_q;" for n in range(depth)]
    edge = ["d0_q <= result;"] + [f"d{n}_q <= d{n - 1}_q;" for n in range(1, depth)]
    end = 0 if shape.late else shape.latency - 1
    if not shape.start:
        return lines, edge, f"d{end}_q"
    lines.append(f"  reg [{depth}:0] busy_q = 0;")
    edge.append(f"busy_q <= {{busy_q[{depth - 1}:0], start_i}};")
    last, due = f"d{end}_q", f"busy_q[{shape.latency - 1}]"
    if shape.done:
        # Some calls take longer, as their own result says.
        late = f"d{depth - 1}_q"
        lines += [
            f"  wire soon = {due} & {last}[0];",
            f"  wire later = busy_q[{depth - 1}] & ~{late}[0];",
        ]
        lines.append("  assign done_o = soon | later;")
        return lines, edge, f"soon ? {last} : later ? {late} : ~{late}"
    spoilt = ""
    if shape.ii > 1:
        lines.append("  reg spoilt_q = 0;")
        sooner = " | ".join(f"busy_q[{n}]" for n in range(min(shape.ii - 1, depth + 1)))
        edge.append(f"if (start_i & ({sooner})) spoilt_q <= 1;")
        spoilt = " & ~spoilt_q"
    return lines, edge, f"{due}{spoilt} ? {last} : ~{last}"


def table(
    name: str, shape: Shape, params: list[Var | Array], returns: Type | None, outside: int
) -> str:
    """Describe a module, as `--macros` reads it."""
    inputs = ", ".join(f'"{p.name}_i"' for p in params)
    lines = ["[[macro]]", f'function = "{name}"', f'module = "mac_{name}"']
    lines += ['sources = ["SOURCE"]', f'kind = "{shape.kind}"', f"latency = {shape.latency}"]
    lines += [f"inputs = [{inputs}]"]
    lines += ['output = "y_o"'] * (returns is not None)
    lines += ['clock = "clk"'] * shape.clocked + ['reset = "rst"'] * shape.reset
    lines += ['start = "start_i"'] * shape.start + ['done = "done_o"'] * bool(shape.done)
    lines += [f"ii = {shape.ii}"] * bool(shape.ii) + ['enable = "ce_i"'] * shape.enable
    if shape.kind == "external":
        port = ["[[macro.port]]", 'name = "switch_i"', 'direction = "input"', "width = 4"]
        lines += ["", *port, f"value = {outside}", ""]
        lines += ["[[macro.port]]", 'name = "led_o"', 'direction = "output"', "width = 8"]
    return "\n".join([*lines, ""])


def program(seed: int) -> dict[str, str]:
    """Give the files of a seed's program by what their names end with."""
    return MacroGenerator(seed).files()


def is_whole(seed: int) -> bool:
    """Whether the top function of a seed's program is pipelined."""
    return MacroGenerator(seed).whole

# SPDX-License-Identifier: Apache-2.0
"""Dataflow regions: what becomes a process, what speaks against it, what the check finds."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.hls.compiled import Compiled
from lydite.hls.contract import rtl_macro
from lydite.hls.emit import fifo as emit_fifo
from lydite.hls.ir import delay_model
from lydite.hls.ir.graph import Op, const
from lydite.hls.ir.module import Module
from lydite.hls.passes import dataflow, verify_network

Compile = Callable[..., Compiled]
BLOCKS = (Path(__file__).parents[1] / "dataflow" / "blocks.c").read_text()
CHAIN = (Path(__file__).parents[1] / "dataflow" / "chain.c").read_text()
MACROS = Path(__file__).parents[1] / "macros" / "macros.toml"
WORDS = 96


def warned(compiled: Compiled) -> list[str]:
    return [str(item).rpartition("/")[2] for item in compiled.warnings]


# What runs at the same time.


def test_iterations_overlap_as_far_as_processes_let_them(
    compile_c: Compile, simulate: Callable[..., list]
) -> None:
    plain = re.sub(r"#pragma HLS dataflow", "", BLOCKS)
    data = {"in": bytes(range(256)) + bytes(128), "out": bytes(4 * WORDS)}
    calls = [({"count": count}, data) for count in (0, 1, 6)]
    together = simulate(compile_c(BLOCKS, "blocks"), calls)
    apart = simulate(compile_c(plain, "blocks"), calls)
    assert [call.value for call in together] == [call.value for call in apart]
    assert [call.arrays for call in together] == [call.arrays for call in apart]
    each = [(run[2].cycles - run[1].cycles) / 5 for run in (together, apart)]
    # Three processes of some 20 cycles: the loop waits for the first one's result, then goes on.
    assert each[0] <= 24 and each[1] >= 50


_PAIR = """
#include <stdint.h>
static void fill(uint32_t words[8], uint32_t n) { for (int i = 0; i < 8; i++) words[i] = n + i; }
static uint32_t sum(const uint32_t words[8]) {
  uint32_t sum = 0;
  for (int i = 0; i < 8; i++) sum += words[i] * words[7 - i];
  return sum;
}
"""


def test_memory_between_processes_has_two_copies(compile_c: Compile) -> None:
    text = _PAIR + "uint32_t f(uint32_t n) {\n#pragma HLS dataflow\nuint32_t words[8];\n"
    compiled = compile_c(text + "fill(words, n);\nreturn sum(words);\n}\n")
    assert warned(compiled) == []
    (channel,) = compiled.report.channels
    assert (channel.kind, channel.label, channel.writer, channel.reader) == (
        "ping-pong",
        "words",
        "fill",
        "sum",
    )
    top = compiled.files[0].text
    assert "f_words u_words_0 (" in top and "f_words u_words_1 (" in top


def test_fifo_is_made_of_registers_logic_or_block_memory() -> None:
    ecp5, ice40 = delay_model.load("ecp5"), delay_model.load("ice40")
    shapes = [(8, 1), (512, 2), (8, 3), (1024, 16), (32, 64), (33, 64), (8, 300)]
    kinds = [emit_fifo.kind(ecp5, width, depth) for width, depth in shapes]
    assert kinds == [0, 0, 1, 1, 1, 2, 2]
    assert [emit_fifo.kind(ice40, width, depth) for width, depth in shapes] == [0, 0, 0, 2, 2, 2, 2]


# What does not become processes.


def region(body: str, more: str = "", head: str = "uint32_t f(uint32_t n)") -> str:
    return f"{_PAIR}{more}{head} {{\n#pragma HLS dataflow\n{body}}}\n"


SEQUENTIAL = [
    (
        region(
            "uint32_t a[8];\nfill(a, n);\nuint32_t s = sum(a);\nreturn s + other(a);\n",
            "static uint32_t other(const uint32_t a[8]) { uint32_t s = 0;\n"
            "for (int i = 0; i < 8; i++) s ^= a[i]; return s; }\n",
        ),
        "a is used by fill (t.c:3), sum (t.c:6), other (t.c:10): only one may read what another "
        "one writes",
    ),
    (
        region("uint32_t a[8] = {0};\nuint32_t s = sum(a);\nfill(a, n);\nreturn s + a[n & 7];\n"),
        "a goes back from fill (t.c:3) to sum (t.c:6)",
    ),
    (
        region("static uint32_t a[8];\nfill(a, n);\nreturn sum(a);\n"),
        "f.a.0 is used by fill (t.c:3) and by sum (t.c:6), and keeps its value from run to run",
    ),
    (
        region("uint32_t a[8];\nfill(a, n);\na[n & 7]++;\nreturn sum(a);\n"),
        "a is used by f itself (t.c:13), and by fill (t.c:3) and sum (t.c:6)",
    ),
    (
        region("fill(a, n);\nreturn sum(a);\n", head="uint32_t f(uint32_t n, uint32_t a[8])"),
        "a is used by fill (t.c:3) and by sum (t.c:6), and is an argument",
    ),
    (
        region("uint32_t a[8];\nfill(a, n);\nif (n & 1) return sum(a);\nreturn 0;\n"),
        "sum (t.c:13) is called under another condition than fill (t.c:12)",
    ),
    (
        region(
            "uint32_t a[8], s = 0;\nfor (uint32_t i = 0; i < n; i++) {\nfill(a, i);\n"
            "s += sum(a);\n}\nreturn s;\n"
        ),
        "fill (t.c:13) is called in a loop inside of it",
    ),
]


@pytest.mark.parametrize(("text", "reason"), SEQUENTIAL, ids=[r[:40] for _, r in SEQUENTIAL])
def test_obstacle_is_named_and_the_region_stays_sequential(
    text: str, reason: str, compile_c: Compile, simulate: Callable[..., list]
) -> None:
    compiled = compile_c(text)
    line = 1 + text[: text.index("#pragma")].count("\n")
    said = f"t.c:{line}: pragma HLS dataflow: {reason}: the region stays sequential"
    assert said in warned(compiled)
    assert compiled.report.processes == ()
    plain = compile_c(text.replace("#pragma HLS dataflow", "#pragma HLS inline off"))
    arrays = {"a": bytes(32)} if "a[8])" in text.split("#pragma")[0].rsplit("\n", 2)[1] else {}
    calls = [({"n": n}, arrays) for n in (3, 8)]
    assert [c.value for c in simulate(compiled, calls)] == [c.value for c in simulate(plain, calls)]


def test_array_declared_around_the_loop_keeps_the_loop_sequential(compile_c: Compile) -> None:
    body = (
        "for (uint32_t i = 0; i < n; i++) {\n#pragma HLS dataflow\nfill(a, i);\ns += sum(a);\n}\n"
    )
    text = f"{_PAIR}uint32_t f(uint32_t n) {{\nuint32_t a[8], s = 0;\n{body}return s;\n}}\n"
    assert warned(compile_c(text)) == [
        "t.c:12: pragma HLS dataflow: a is used by fill (t.c:3) and by sum (t.c:6), and keeps its "
        "value from run to run: the region stays sequential"
    ]


_STREAMS = """\
#include <lydite_stream.h>
static void give(lydite_stream8 *to, uint8_t n) {
  for (int i = 0; i < 4; i++) lydite_stream8_write(to, (lydite_stream8_beat){.data = n});
}
static uint8_t take(lydite_stream8 *from) {
  uint8_t sum = 0;
  for (int i = 0; i < 4; i++) sum += lydite_stream8_read(from).data;
  return sum;
}
"""

REFUSED = [
    (
        "uint8_t f(uint8_t n) {\nlydite_stream8 s = {0};\ngive(&s, n);\nreturn take(&s);\n}\n",
        ":3: stream to is written at t.c:3 and read at t.c:7, and not between two processes of a "
        "dataflow region",
    ),
    (
        "uint8_t f(uint8_t n) {\n#pragma HLS dataflow\nlydite_stream8 s = {0};\n"
        "give(&s, n);\nuint8_t a = take(&s);\ngive(&s, a);\nreturn take(&s);\n}\n",
        ":3: stream s is written at t.c:3 and read at t.c:7, and not between two processes of a "
        "dataflow region; stream s is written by give (t.c:3) and by give_2 (t.c:3)",
    ),
    (
        "uint8_t f(uint8_t n) {\n#pragma HLS dataflow\nlydite_stream8 s = {0};\n"
        "lydite_stream8_write(&s, (lydite_stream8_beat){.data = n});\nreturn take(&s);\n}\n",
        ":13: stream s is written at t.c:13 and read at t.c:7, and not between two processes of a "
        "dataflow region; stream s is used by f itself (t.c:13), which is no process",
    ),
]


@pytest.mark.parametrize(("text", "message"), REFUSED)
def test_stream_that_is_not_between_processes_is_refused(
    text: str, message: str, compile_c: Compile
) -> None:
    with pytest.raises(InputError) as caught:
        compile_c(_STREAMS + text)
    assert str(caught.value).rpartition("/")[2].partition("t.c")[2].split("\n")[0] == message


def test_stream_that_nobody_reads_vanishes_with_a_warning(compile_c: Compile) -> None:
    text = _STREAMS.replace("sum += lydite", "sum += n + 0 * lydite")
    text = (
        "#include <lydite_stream.h>\n"
        "static void give(lydite_stream8 *to, uint8_t n) {\n"
        "for (int i = 0; i < 4; i++) lydite_stream8_write(to, (lydite_stream8_beat){.data = n});\n"
        "}\n"
        "static uint8_t half(uint8_t n) {\n#pragma HLS inline off\nreturn n / 2; }\n"
        "uint8_t f(uint8_t n) {\n#pragma HLS dataflow\nlydite_stream8 s = {0};\ngive(&s, n);\n"
        "return half(n);\n}\n"
    )
    assert warned(compile_c(text)) == [
        "t.c:3: stream s is written and never read: its beats vanish"
    ]


def test_macro_has_no_copies(compile_c: Compile) -> None:
    product = tuple(item for item in rtl_macro.load(MACROS) if item.function == "product")
    head = "static uint32_t product(uint32_t a, uint32_t b) { return a * b; }\n"
    text = region("uint32_t a[8];\nfill(a, n);\nreturn sum(a);\n")
    text = text.replace("= n + i;", "= product(n, (uint32_t)i);")
    text = text.replace("words[i] * words[7 - i]", "product(words[i], words[7 - i])")
    text = text.replace("<stdint.h>\n", f"<stdint.h>\n{head}")
    assert warned(compile_c(text, macros=product)) == [
        "t.c:11: pragma HLS dataflow: fill and sum both call product: the region stays sequential"
    ]


def test_region_without_calls_is_named(compile_c: Compile) -> None:
    text = "int f(int n) {\n#pragma HLS dataflow\nreturn n + 1;\n}\n"
    assert warned(compile_c(text)) == [
        "t.c:2: pragma HLS dataflow: nothing is called in it that stays a function: the region "
        "stays sequential"
    ]


def test_depth_of_what_is_no_stream_inside_is_named(compile_c: Compile) -> None:
    body = "uint32_t words[8];\n#pragma HLS stream variable=words depth=4\nfill(words, n);\n"
    assert warned(compile_c(region(body + "return sum(words);\n"))) == [
        "t.c:12: pragma HLS stream: words is no stream between processes: ignored"
    ]


# The check of networks.


def network(compile_c: Compile, text: str, top: str) -> Module:
    module, _ = dataflow.separate(compile_c(text, top).module, restarts=False)
    verify_network.verify(module, restarts=False)
    assert module.network is not None
    return module


def broken(module: Module) -> str:
    with pytest.raises(AssertionError) as caught:
        verify_network.verify(module, restarts=False)
    return str(caught.value)


def test_check_finds_a_region_left_while_processes_run(compile_c: Compile) -> None:
    module = network(compile_c, CHAIN, "chain")
    idle = module.network.processes[2].idle
    for block in module.top_function.blocks:
        block.ops = [op for op in block.ops if op.attr is not idle]
    assert broken(module) == "chain ends while scramble_2 may run"


def test_check_finds_a_fifo_with_a_wrong_width(compile_c: Compile) -> None:
    module = network(compile_c, CHAIN, "chain")
    module.network.fifos[0].width += 1
    assert broken(module) == "FIFO low: width"


def test_check_finds_an_end_at_another_process(compile_c: Compile) -> None:
    module = network(compile_c, CHAIN, "chain")
    low, once = module.network.fifos[:2]
    for op in once.reader.function.ops():
        if op.attr is once.out:
            op.attr = low.out
    assert broken(module) == "FIFO low: a foreign read"


def test_check_finds_a_memory_without_turns(compile_c: Compile) -> None:
    module = network(compile_c, BLOCKS, "blocks")
    del module.network.buffers[0]
    assert broken(module) == "turn and load may be at block at once"


def test_check_finds_a_reader_that_writes(compile_c: Compile) -> None:
    module = network(compile_c, BLOCKS, "blocks")
    buffer = module.network.buffers[0]
    memory = buffer.memories[0]
    zero = const(memory.index_width, 0), const(memory.width, 0), const(memory.lanes, 1)
    buffer.reader.function.blocks[0].ops.append(Op("store", 0, list(zero), attr=memory))
    assert broken(module) == "block: written by the reader"


def test_check_finds_turns_that_do_not_alternate(compile_c: Compile) -> None:
    module = network(compile_c, BLOCKS, "blocks")
    start = module.network.buffers[0].reader.start
    for block in module.top_function.blocks:
        block.ops = [op for op in block.ops if op.attr is not start]
    assert broken(module) == "turn is started elsewhere"


def test_check_finds_a_function_of_two_processes(compile_c: Compile) -> None:
    module = network(compile_c, CHAIN, "chain")
    first, second = (p.function for p in module.network.processes[1:3])
    mixers = [next(op for op in f.ops() if op.kind == "call") for f in (first, second)]
    mixers[1].attr = mixers[0].attr
    assert broken(module).endswith(f"is called by {first.name} and by {second.name}")


def test_check_finds_a_result_of_the_wrong_width(compile_c: Compile) -> None:
    module = network(compile_c, CHAIN, "chain")
    result = next(item for item in module.network.results if item.stream is None)
    result.producer.function.width += 1
    assert "width of a result" in broken(module)


def test_report_names_processes_and_channels(compile_c: Compile) -> None:
    compiled = compile_c(CHAIN, "chain")
    shown = [(c.label, c.kind, c.width, c.depth) for c in compiled.report.channels]
    assert shown == [
        ("low", "FIFO", 17, 20),
        ("once", "FIFO", 17, 2),
        ("twice", "FIFO", 17, 1),
        ("sum", "ping-pong", 32, 1),
        ("result of take", "result", 32, 4),
    ]
    assert [p.name for p in compiled.report.processes] == ["take", "scramble", "scramble_2", "give"]
    assert dataclasses.asdict(compiled.report.processes[0])["busy"] == "take_token_valid"


def test_latency_is_that_of_the_slowest_process_at_least(
    compile_c: Compile, simulate: Callable[..., list]
) -> None:
    body = "uint32_t words[8];\nfill(words, n);\nreturn sum(words);\n"
    compiled = compile_c(region(body))
    report = {f.name: f for f in compiled.report.functions}
    slowest = max(report[name].latency_min for name in ("fill", "sum"))
    assert (report["f"].latency_min, report["f"].latency_max) == (1 + slowest, None)
    (call,) = simulate(compiled, [({"n": 3}, {})])
    assert call.cycles >= report["f"].latency_min


RESTARTS = """static void g(const unsigned a[8], unsigned t[8]) {
#pragma HLS inline off
  for (int i = 0; i < 8; i++) t[i] = a[i] * 3;
}
static void h(const unsigned t[8], unsigned b[8]) {
#pragma HLS inline off
  for (int i = 0; i < 8; i++) b[i] = t[i] ^ 5;
}
void f(const unsigned a[8], unsigned b[8]) {
#pragma HLS interface ap_ctrl_none port=return
#pragma HLS interface ap_fifo port=a
#pragma HLS interface ap_fifo port=b
#pragma HLS dataflow
  unsigned t[8];
  g(a, t);
  h(t, b);
}
"""


def test_latency_of_a_region_that_begins_anew_is_not_that_of_its_starter(
    compile_c: Callable[..., Compiled],
) -> None:
    compiled = compile_c(RESTARTS)
    top, *others = compiled.report.functions
    assert len(compiled.report.processes) == 2
    assert top.latency_min == 1 + max(other.latency_min or 0 for other in others) > 8
    assert top.latency_max is None
    assert f"latency {top.latency_min} to ? cycles" in compiled.files[0].text

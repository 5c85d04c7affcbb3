# SPDX-License-Identifier: Apache-2.0
"""Routed netlists with their delays: transport, glitches, windows, and what is refused."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable

import pytest
from routed_netlists import ECP5, HOLD, LAUNCH, LUT, MULTIPLY, Netlist, boundary, stimulus

from lydite.base import InputError, interrupts
from lydite.sim.routed import boundary as boundaries
from lydite.sim.routed import builder, chips, model, search, static
from lydite.sim.routed.chips import Sigmas
from lydite.sim.routed.model import Model
from lydite.sim.routed.timed import Chip, Result
from lydite.targets.models import FOLDER, ROUTED, models
from lydite.tools import routed, sdf

ALTERNATING = [at % 2 for at in range(40)]
# From register to register through a table, wires of 100 and 200 ps.
WAY = LAUNCH + 100 + LUT + 200


def chain(bits: int = 0b10) -> Netlist:
    """A register, a table of one input, a register."""
    netlist = Netlist()
    netlist.register("in")
    netlist.register("out")
    netlist.table("lut", bits, ("in", 100))
    netlist.take("out", "lut", 200)
    return netlist


def run(netlist: Netlist, given: list[int], right: list[int], period_ps: int) -> Result:
    shown = stimulus([given], [right])
    with Chip(netlist.model(), boundary(["in"], ["out"]), shown) as chip:
        return chip.run(period_ps)


def test_static_analysis_sums_wires_tables_and_registers() -> None:
    made = chain().model()
    [way] = [way for way in static.paths(made, static.analyse(made)) if way.cell == "out"]
    assert way.delay_ps == WAY
    assert [made.names[node] for node in way.nodes] == ["in/Q", "lut/F", "out/data", "out/next"]


def test_values_come_right_up_to_the_clock_of_static_analysis() -> None:
    inverted = [1 - bit for bit in ALTERNATING]
    assert run(chain(0b01), ALTERNATING, inverted, WAY).wrong == ()
    assert run(chain(0b01), ALTERNATING, inverted, WAY).unsure == 0
    above = run(chain(0b01), ALTERNATING, inverted, WAY - 1)
    assert above.wrong == ((0, 0),)
    assert above.unsure > 30


def test_register_is_random_within_its_hold_and_late_behind_it() -> None:
    late = [0, *ALTERNATING[:-1]]
    assert run(chain(), ALTERNATING, late, WAY - HOLD).wrong == ((0, 0),)
    # Behind the hold the old value is taken, and the event goes on to the next edge.
    behind = run(chain(), ALTERNATING, late, WAY - HOLD - 1)
    assert behind.wrong == ()
    assert behind.unsure == 0


def test_simulation_ends_when_its_plan_is_interrupted() -> None:
    shown = stimulus([ALTERNATING], [ALTERNATING])
    with Chip(chain().model(), boundary(["in"], ["out"]), shown) as chip:
        with interrupts.halted(), pytest.raises(interrupts.Halted):
            chip.run(WAY)
        assert chip.run(WAY).wrong == ()


def test_random_bits_follow_from_the_seed() -> None:
    shown = stimulus([ALTERNATING] * 3, [ALTERNATING] * 3)
    with Chip(chain().model(), boundary(["in"], ["out"]), shown) as chip:
        first = chip.run(WAY - 1, seed=5)
        assert chip.run(WAY - 1, seed=5) == first
        assert any(chip.run(WAY - 1, seed=n).first_wrong != first.first_wrong for n in range(9))


def test_glitch_between_two_ways_is_sampled() -> None:
    netlist = Netlist()
    netlist.register("in")
    netlist.register("out")
    netlist.table("xor", 0b0110, ("in", 100), ("in", 2000))
    netlist.take("out", "xor", 50)
    early, late = LAUNCH + 100 + LUT + 50, LAUNCH + 2000 + LUT + 50
    quiet = [0] * len(ALTERNATING)
    # What it settles to never changes: a look at changed values alone would miss it.
    assert run(netlist, ALTERNATING, quiet, late).wrong == ()
    assert run(netlist, ALTERNATING, quiet, late - HOLD - 1).wrong == ((0, 0),)
    assert run(netlist, ALTERNATING, quiet, early + 10).wrong == ((0, 0),)


def test_ram_in_logic_shows_what_was_written_at_the_edge_before() -> None:
    netlist = Netlist()
    netlist.register("in")
    netlist.register("out")
    netlist.ram("ram", "in", "in", 300)
    netlist.take("out", "ram", 400)
    draw = random.Random(1)
    given = [draw.getrandbits(1) for _ in range(60)]
    # Word 0 stays 0; word 15, which a 1 reads, has the bit of the cycle before.
    right = [bit & before for bit, before in zip(given, [0, *given], strict=False)]
    limit = LAUNCH + 300 + LUT + 400
    assert run(netlist, given, right, limit).wrong == ()
    assert run(netlist, given, right, limit - 1).wrong == ((0, 0),)


def test_ram_in_logic_with_another_first_content_is_refused() -> None:
    netlist = Netlist()
    netlist.register("in")
    netlist.ram("ram", "in", "in", 300)
    netlist.cells["ram"]["parameters"]["INITVAL"] = "0" * 15 + "1"
    with pytest.raises(InputError) as error:
        netlist.model()
    assert str(error.value) == (
        "cell ram (TRELLIS_COMB_DPRAM): INITVAL = 1 is not simulated\n"
        "  the netlist cannot be proven with it; --prove-netlist none places it unproven"
    )


@pytest.mark.parametrize("signed", [(0, 0), (1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("bits", [(18, 18), (3, 7), (1, 18)])
def test_products_come_out_at_the_clock_of_static_analysis(
    signed: tuple[int, int], bits: tuple[int, int]
) -> None:
    draw = random.Random(1)
    netlist = Netlist()
    names = [
        [f"{which}{bit}" for bit in range(count)] for which, count in zip("ab", bits, strict=True)
    ]
    for name in (*names[0], *names[1]):
        netlist.register(name)
    netlist.product("p", names[0], names[1], signed)
    for bit in range(36):
        netlist.register(f"q{bit}")
        netlist.take(f"q{bit}", f"p.{bit}", HOLD + 10 * bit)
    made = netlist.model()
    way = static.paths(made, static.analyse(made))[0]
    assert way.delay_ps == LAUNCH + 100 + 7 * (max(bits) - 1) + MULTIPLY + HOLD + 350
    given, right = [], []
    for _ in range(64):
        values = [[draw.getrandbits(count) for count in bits] for _ in range(12)]
        given.append([a | b << bits[0] for a, b in values])
        products = []
        for pair in values:
            # Only an operand of all bits has one of sign.
            a, b = (
                value - (1 << 18) if negative and value >> 17 else value
                for value, negative in zip(pair, signed, strict=True)
            )
            products.append(a * b & (1 << 36) - 1)
        right.append(products)
    shown = stimulus(given, right, (sum(bits), 36))
    ends = boundary([*names[0], *names[1]], [f"q{bit}" for bit in range(36)])
    with Chip(made, ends, shown) as chip:
        assert chip.run(way.delay_ps).wrong == ()
        assert chip.run(way.delay_ps // 2).wrong


def test_products_with_a_sign_that_changes_are_refused() -> None:
    netlist = Netlist()
    for name in ("a", "sign", "q"):
        netlist.register(name)
    netlist.product("p", ["a"], ["a"], (0, 0))
    netlist.cells["p"]["parameters"].pop("SIGNEDAMUX")
    netlist.join("sign", "p", "SIGNEDA", 100)
    netlist.take("q", "p.0", HOLD)
    with pytest.raises(InputError) as error:
        netlist.model()
    assert str(error.value) == (
        "cell p: SIGNEDA that is not constant is not simulated with its delays"
    )


def wired(draw: random.Random, gates: int, registers: int) -> Netlist:
    """Tables in any order of ranks, and registers that take some of them."""
    netlist = Netlist()
    names = [f"r{number}" for number in range(registers)]
    for name in ("in", "out", *names):
        netlist.register(name)
    known = ["in", *names]
    for number in range(gates):
        sources = draw.sample(known, draw.randint(1, min(4, len(known))))
        ins = [(source, draw.randint(1, 900)) for source in sources]
        netlist.table(f"t{number}", draw.getrandbits(1 << len(sources)), *ins)
        known.append(f"t{number}")
    for name in names:
        netlist.take(name, draw.choice(known), draw.randint(HOLD, 900))
    netlist.take("out", known[-1], draw.randint(HOLD, 900))
    return netlist


def reference(made: Model, given: list[int], period_ps: int) -> list[int]:
    """What the output register takes, by the definition alone: no events, no windows."""
    steps = {step.output: step for step in made.steps}
    registers = {one.q: one for one in made.registers}
    source, sink = made.register_of["in"], made.register_of["out"]
    held: dict[tuple[int, int], int] = {}

    @functools.cache
    def value(node: int, time: int) -> int:
        if node in registers:
            one = registers[node]
            cycle = (time - one.launch_ps) // period_ps
            if one is source:
                return given[min(cycle, len(given) - 1)] if cycle >= 0 else 0
            return held.get((node, cycle), 0) if cycle > 0 else one.init
        step = steps[node]
        assert isinstance(step, model.Gate)
        at = sum(value(a.source, time - a.delay_ps) << n for n, a in enumerate(step.arcs))
        return step.bits >> at & 1

    taken = []
    for cycle in range(1, len(given) + 1):
        for q, one in registers.items():
            held[q, cycle] = value(one.next, cycle * period_ps)
        taken.append(value(sink.next, cycle * period_ps))
    return taken


@pytest.mark.parametrize(
    "number", [*range(6), *(pytest.param(n, marks=pytest.mark.slow) for n in range(6, 12))]
)
def test_events_are_what_the_definition_says_of_any_netlist(number: int) -> None:
    draw = random.Random(number)
    made = wired(draw, draw.randint(3, 25), draw.randint(1, 5)).model()
    # Nothing is random: the reference knows no windows.
    made = model.without_holds(made)
    worst = static.paths(made, static.analyse(made))[0].delay_ps
    given = [[draw.getrandbits(1) for _ in range(30)] for _ in range(70)]
    for part in (1.1, 0.9, 0.6, 0.35):
        period = max(int(part * worst), LAUNCH + 1)
        right = [reference(made, one, period) for one in given]
        with Chip(made, boundary(["in"], ["out"]), stimulus(given, right)) as chip:
            assert chip.run(period).wrong == ()


@pytest.mark.parametrize("number", range(12))
def test_run_is_right_again_at_all_periods_that_are_not_shorter_than_its_last_change(
    number: int,
) -> None:
    draw = random.Random(number)
    made = wired(draw, draw.randint(3, 40), draw.randint(1, 8)).model()
    worst = static.paths(made, static.analyse(made))[0].delay_ps
    given = [[draw.getrandbits(1) for _ in range(40)] for _ in range(5)]
    right = [reference(model.without_holds(made), one, 2 * worst) for one in given]
    with Chip(made, boundary(["in"], ["out"]), stimulus(given, right)) as chip:
        slow = chip.run(2 * worst)
        assert slow.wrong == ()
        settled = chip.settled_ps(slow)
        assert settled <= worst
        for period in {settled, settled + 1, *(draw.randint(settled, worst) for _ in range(8))}:
            found = chip.run(period)
            assert (found.wrong, found.unsure) == ((), 0)


@pytest.mark.parametrize("number", range(6))
def test_first_runs_come_out_alone_as_among_others(number: int) -> None:
    draw = random.Random(number)
    made = wired(draw, 30, 6).model()
    worst = static.paths(made, static.analyse(made))[0].delay_ps
    given = [[draw.getrandbits(1) for _ in range(30)] for _ in range(70)]
    right = [reference(model.without_holds(made), one, 2 * worst) for one in given]
    with Chip(made, boundary(["in"], ["out"]), stimulus(given, right)) as chip:
        for period in (int(0.4 * worst), int(0.6 * worst), int(0.8 * worst)):
            whole = chip.run(period)
            for count in (1, 4, 65):
                part = chip.run(period, runs=count)
                assert part.first_wrong == whole.first_wrong[:count]
                assert part.wrong == tuple(one for one in whole.wrong if one[0] < count)


def test_batches_in_threads_are_what_each_is_alone() -> None:
    draw = random.Random(1)
    made = model.without_holds(wired(draw, 30, 6).model())
    worst = static.paths(made, static.analyse(made))[0].delay_ps
    given = [[draw.getrandbits(1) for _ in range(20)] for _ in range(1100)]
    right = [reference(made, one, 2 * worst) for one in given]
    period = int(0.6 * worst)
    with Chip(made, boundary(["in"], ["out"]), stimulus(given, right)) as chip:
        whole, traced = chip.run(period), chip.run(period, trace=True)
    assert len(whole.first_wrong) == 1100
    parts = []
    for at in range(0, 1100, 512):
        some = stimulus(given[at : at + 512], right[at : at + 512])
        with Chip(made, boundary(["in"], ["out"]), some) as chip:
            parts.append((at, chip.run(period), chip.run(period, trace=True).failure))
    assert whole.first_wrong == sum((one.first_wrong for _, one, _ in parts), ())
    assert whole.wrong == tuple((at + n, m) for at, one, _ in parts for n, m in one.wrong)
    assert len({at for at, one, _ in parts if one.wrong}) == 3
    assert whole.events == sum(one.events for _, one, _ in parts)
    assert whole.seen == tuple(map(max, zip(*(one.seen for _, one, _ in parts), strict=True)))
    assert traced.failure is not None
    assert traced.failure == parts[0][2]


def test_the_path_that_fails_first_is_told() -> None:
    made = chain().model()
    shown = stimulus([ALTERNATING], [ALTERNATING])
    with Chip(made, boundary(["in"], ["out"]), shown) as chip:
        assert chip.run(WAY, trace=True).failure is None
        failure = chip.run(WAY - 1, trace=True).failure
    assert failure is not None
    told = [(made.names[node], time) for node, time in failure.path]
    assert told == [
        ("in/Q", LAUNCH),
        ("lut/F", LAUNCH + 100 + LUT),
        ("out/data", WAY),
        ("out/next", WAY),
    ]


def test_path_goes_back_over_edges() -> None:
    made = chain().model()
    shown = stimulus([ALTERNATING], [ALTERNATING])
    with Chip(made, boundary(["in"], ["out"]), shown) as chip:
        failure = chip.run(540, trace=True).failure
    assert failure is None or made.names[failure.path[-1][0]] == "out/next"


def unknown(netlist: Netlist) -> None:
    netlist.cells["lut"]["type"] = "MYSTERY"


def second_clock(netlist: Netlist) -> None:
    netlist._add("b$io", "TRELLIS_IO", {"O": "output"}, {"O": "pad2"}, {})
    netlist.join("pad2", "out", "CLK")


def own_clock(netlist: Netlist) -> None:
    for name in ("in", "out"):
        netlist.cells[name]["connections"]["CLK"] = [netlist.net("lut")]


def no_clock(netlist: Netlist) -> None:
    for name in ("in", "out"):
        netlist.cells[name]["connections"]["CLK"] = []


def inverted_clock(netlist: Netlist) -> None:
    netlist.cells["out"]["parameters"]["CLKMUX"] = "INV"


def asynchronous_reset(netlist: Netlist) -> None:
    netlist.cells["out"]["parameters"] |= {"SRMODE": "ASYNC", "LSRMUX": "LSR"}
    netlist.join("in", "out", "LSR", 9)


def loop(netlist: Netlist) -> None:
    netlist.cells["lut"]["parameters"]["INITVAL"] = "0110" * 4
    netlist.join("lut", "lut", "B", 9)
    at = next(n for n, line in enumerate(netlist.timed) if "IOPATH A F" in line)
    netlist.timed.insert(at, netlist.timed[at].replace(" A F", " B F"))


def multiplier(netlist: Netlist) -> None:
    netlist.cells["lut"]["type"] = "MULT9X9D"


def no_wire(netlist: Netlist) -> None:
    netlist.wires = [line for line in netlist.wires if "lut/A" not in line]


def no_arc(netlist: Netlist) -> None:
    netlist.timed = [line for line in netlist.timed if "IOPATH A F" not in line]


def no_setup(netlist: Netlist) -> None:
    netlist.timed = [line for line in netlist.timed if "SETUPHOLD" not in line]


def uneven(netlist: Netlist) -> None:
    netlist.timed = [line.replace("(200:218:236))", "(200:218:237))") for line in netlist.timed]


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (
            unknown,
            "cell lut: no simulation model of MYSTERY\n  the netlist cannot be proven without one "
            "in targets/cells/ecp5-routed.toml; --prove-netlist none places it unproven",
        ),
        (
            multiplier,
            "cell lut: no simulation model of MULT9X9D\n  the netlist cannot be proven without "
            "one in targets/cells/ecp5-routed.toml; --prove-netlist none places it unproven",
        ),
        (
            second_clock,
            "routed.json: 2 clocks: b$io clocks out; clk$io clocks in\n"
            "  a core with one clock is simulated",
        ),
        (
            own_clock,
            "routed.json: the clock of in is made inside, by lut\n"
            "  a clock that comes in by a port is simulated",
        ),
        (
            no_clock,
            "routed.json: nothing in it is clocked\n  a core with one clock is simulated",
        ),
        (
            inverted_clock,
            "cell out: a register of the clock's falling edge\n"
            "  registers of its rising edge are simulated",
        ),
        (
            asynchronous_reset,
            "cell out: a register with an asynchronous reset\n"
            "  its moment has no clock to be measured against",
        ),
        (
            loop,
            "routed.json: a circle of logic without a register, through lut/F\n"
            "  make it a register",
        ),
        (no_wire, "routed.sdf: no delay of the wire from in/Q to lut/A"),
        (no_arc, "routed.sdf: no delay from A to F of lut"),
        (no_setup, "routed.sdf: no set-up and hold of out/DI, which has a wire"),
        (
            uneven,
            "routed.sdf:38: another delay to rise than to fall\n  such delays are not simulated",
        ),
    ],
)
def test_what_is_not_simulated_is_refused_with_its_place(
    fault: Callable[[Netlist], None], message: str
) -> None:
    netlist = chain()
    fault(netlist)
    with pytest.raises(InputError) as error:
        netlist.model()
    assert str(error.value) == message


def test_hold_that_is_violated_at_any_clock_is_refused() -> None:
    netlist = chain()
    netlist.timed = [re.sub(r"\(267:285:\d+\)", "(267:285:1062)", line) for line in netlist.timed]
    made = netlist.model()
    with pytest.raises(InputError) as error:
        static.analyse(made)
    assert str(error.value) == (
        "cell out: hold of DI is violated at any clock, by 1 ps\n"
        "  nextpnr does not say so; nor can it work"
    )


def test_delays_that_cannot_be_read_are_told_with_their_line() -> None:
    lines = chain().delays().splitlines()
    lines[4] = lines[4].replace("INTERCONNECT", "NETDELAY")
    with pytest.raises(InputError) as error:
        sdf.parse("\n".join(lines))
    assert str(error.value).startswith("routed.sdf:5: cannot be read: (NETDELAY ")


def test_columns_are_read_apart() -> None:
    text = chain().delays()
    found = {}
    for column in sdf.COLUMNS:
        made = builder.build(chain().routed(), sdf.parse(text, column=column), ECP5)
        found[column] = static.paths(made, static.analyse(made))[0].delay_ps
    assert found == {"min": 430 + 98 + 200 + 198, "typ": 477 + 99 + 218 + 199, "max": WAY}


@pytest.mark.parametrize(
    ("text", "what"),
    [("{}", "KeyError: 'modules'"), ("[", "JSONDecodeError: "), ("[]", "TypeError: ")],
)
def test_netlist_that_is_none_is_told(text: str, what: str) -> None:
    with pytest.raises(InputError) as error:
        routed.read(text)
    told = f"routed.json: is no netlist as nextpnr writes it ({what}"
    assert str(error.value).startswith(told)


def test_net_with_two_drivers_is_told() -> None:
    netlist = chain()
    netlist.cells["lut"]["connections"]["F"] = [netlist.net("in")]
    with pytest.raises(InputError) as error:
        netlist.routed()
    assert str(error.value) == "routed.json: net 4: has two drivers: in/Q and lut/F"


def test_port_that_is_not_there_is_told() -> None:
    shown = stimulus([ALTERNATING], [ALTERNATING], (2, 1))
    with pytest.raises(InputError) as error:
        Chip(chain().model(), boundary(["in"], ["out"]), shown)
    assert str(error.value) == "routed.json: the core has no port d of 2 bits in it"


def test_clock_reaches_registers_past_buffers() -> None:
    netlist = chain()
    assert boundaries.clock_nets(netlist.routed(), ECP5) == (netlist.net("clk"),)


@pytest.mark.parametrize("family", ROUTED)
def test_models_of_routed_cells_name_only_what_they_have(family: str) -> None:
    found = models(f"{family}-routed")
    assert all(path.exists() for path in found.files)
    for kind, cell in found.cells.items():
        assert bool(cell.model) != bool(cell.logic or cell.register), kind
        for name in cell.model[:1]:
            assert re.search(rf"^module {kind} ", (FOLDER / name).read_text(), re.MULTILINE)


def test_search_ends_between_right_and_wrong() -> None:
    found = search.search(lambda tenths: int(tenths > 1234), 50, 110)
    assert found.best == 1234
    assert found.right_above == ()
    assert dict(found.tried)[1235] == 1


def test_search_tells_where_failures_do_not_stay() -> None:
    found = search.search(lambda tenths: int(tenths == 1235 or tenths > 1240), 50, 200)
    assert found.best < 1241
    assert dict(found.tried)[found.best + 1] == 1


def test_search_goes_down_where_a_clock_below_fails() -> None:
    # Clocks right below the figure are all tried.
    found = search.search(lambda tenths: int(tenths > 1234 or tenths == 1233), 50, 200)
    assert found.best == 1232
    assert found.right_above == (1234,)


@pytest.mark.parametrize(
    ("wrong", "low", "high", "message"),
    [
        (
            1,
            50.0,
            100.0,
            "--from-mhz: 1 messages are wrong at 50 MHz already\n  begin the search lower",
        ),
        (
            0,
            50.0,
            100.0,
            "--to-mhz: nothing is wrong at 400.4 MHz yet\n"
            "  other stimuli, or more messages, may show more",
        ),
        (0, 50.0, 40.0, "--from-mhz: no range: 50 to 40 MHz"),
    ],
)
def test_range_without_a_failure_or_without_a_success_is_told(
    wrong: int, low: float, high: float, message: str
) -> None:
    with pytest.raises(InputError) as error:
        search.search(lambda _: wrong, low, high)
    assert str(error.value) == message


def test_expected_output_that_is_wrong_is_wrong_at_any_clock() -> None:
    broken = [1 - bit for bit in ALTERNATING]
    assert run(chain(), ALTERNATING, broken, 100 * WAY).wrong == ((0, 0),)


def test_chips_differ_as_their_sigmas_say() -> None:
    netlist = chain()
    made, places = netlist.model(), netlist.routed().places

    def limit(sigmas: Sigmas, seed: int) -> int:
        varied = chips.varied(made, places, sigmas, seed)
        return static.paths(varied, static.analyse(varied))[0].delay_ps

    assert limit(Sigmas(0, 0, 0), 1) == WAY
    found = [limit(Sigmas(0.03, 0, 0), seed) for seed in range(1, 200)]
    mean = sum(found) / len(found)
    sigma = (sum((one - mean) ** 2 for one in found) / len(found)) ** 0.5
    assert abs(mean / WAY - 1) < 0.01
    assert 0.02 < sigma / WAY < 0.04
    assert limit(Sigmas(0.03, 0, 0), 7) == limit(Sigmas(0.03, 0, 0), 7)

# SPDX-License-Identifier: Apache-2.0
"""Makes optimised LLVM IR importable: rewrites what has a plain form, refuses what has none.

Memory intrinsics become loads and stores, in loops when they are long; `exit` and `abort` in the
top function become returns; arguments of `main` become those of a run without arguments. Recursion,
floating point, unresolved calls, dynamic allocation and the like are refused here, with the line.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lydite.base import InputError
from lydite.hls import devirtualise
from lydite.hls.debuginfo import DebugInfo
from lydite.hls.interface import Warn
from lydite.hls.llvm_ast import (
    Address,
    Aggregate,
    Block,
    Function,
    Global,
    Instruction,
    Local,
    Module,
    Number,
    Operand,
    Other,
    Type,
    references,
    size_of,
)
from lydite.hls.words import words

# Calls that leave the program: what the run answers with when the top function meets them.
_LEAVING = {"abort": 134, "__assert_fail": 134, "__assert_rtn": 134, "llvm.trap": 132}
_EXITS = frozenset(("exit", "_exit", "_Exit", "quick_exit"))
_ALLOCATORS = words(
    """malloc calloc realloc free aligned_alloc posix_memalign alloca strdup _Znwm _Znam _ZdlPv
    _ZdaPv _ZdlPvm"""
)
_IGNORED = (
    "llvm.lifetime.",
    "llvm.dbg.",
    "llvm.assume",
    "llvm.donothing",
    "llvm.prefetch",
    "llvm.experimental.noalias.scope.decl",
    "llvm.sideeffect",
    "llvm.invariant.",
    "llvm.fake.use",
    "llvm.var.annotation",
    "llvm.pseudoprobe",
)
# Copies up to this many pieces are written out; longer ones loop.
_STRAIGHT_PIECES = 8


@dataclass(slots=True)
class _Context:
    module: Module
    debug: DebugInfo
    symbol: str
    top: str
    warnings: list[Warn] = field(default_factory=list)
    fresh: int = 0

    def name(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}.lydite.{self.fresh}"

    def place(self, function: Function, instruction: Instruction | None = None) -> str:
        if instruction is not None and (where := self.debug.where(instruction.location)):
            return where
        return self.debug.where(function.subprogram) or function.name

    def refuse(
        self, function: Function, instruction: Instruction | None, what: str, hint: str = ""
    ) -> InputError:
        return InputError(self.place(function, instruction), what, hint)


def legalise(module: Module, debug: DebugInfo, *, symbol: str, top: str) -> list[Warn]:
    """Rewrite a module in place; only functions that the top one may reach are kept.

    Raises
    ------
    InputError
        The program holds something that cannot become hardware.
    """
    context = _Context(module, debug, symbol, top)
    _fix_main(context)
    constructors = module.globals.get("llvm.global_ctors")
    if constructors is not None and isinstance(constructors.init, Aggregate):
        raise InputError(
            top,
            "a global object is initialised by code that runs before the top function",
            "make its initialiser a constant expression (constexpr)",
        )
    reached = _reachable(module, symbol)
    for name in list(module.functions):
        if name not in reached:
            del module.functions[name]
    for function in list(module.functions.values()):
        if function.blocks and function.name != symbol:
            _copy_structures(function, context)
    for function in list(module.functions.values()):
        if function.blocks:
            _legalise_function(function, context)
    devirtualise.resolve(module, symbol, context.refuse)
    _refuse_recursion(context)
    return context.warnings


def _fix_main(context: _Context) -> None:
    """Give `main` the arguments of a run without arguments."""
    function = context.module.functions[context.symbol]
    if context.top != "main" or not function.params:
        return
    values: dict[str, Operand] = {}
    for index, param in enumerate(function.params):
        values[param.name] = Number(1 if index == 0 else 0)
    for block in function.blocks:
        for instruction in block.code:
            instruction.args = [
                (t, values.get(v.name, v) if isinstance(v, Local) else v)
                for t, v in instruction.args
            ]
    function.params = []


def _copy_structures(function: Function, context: _Context) -> None:
    """Give each structure that a function takes by value an object, which callers copy into."""
    made: dict[int, Global] = {}
    values: dict[str, Operand] = {}
    for index, param in enumerate(function.params):
        if param.byval is not None:
            name = f"{function.name}.{param.name}"
            made[index] = Global(name, param.byval, Number(0), False, 16)
            context.module.globals[name] = made[index]
            values[param.name] = Address(name)
    if not made:
        return
    function.params = [p for index, p in enumerate(function.params) if index not in made]
    for block in function.blocks:
        for code in block.code:
            code.args = [
                (t, values.get(v.name, v) if isinstance(v, Local) else v) for t, v in code.args
            ]
    for caller in context.module.functions.values():
        for block in caller.blocks:
            fresh: list[Instruction] = []
            for code in block.code:
                if code.op == "call" and code.callee == Address(function.name):
                    fresh += [_copy_argument(code, index, item) for index, item in made.items()]
                    for field_name in ("args", "byval", "aligns"):
                        old = getattr(code, field_name)
                        kept = [item for index, item in enumerate(old) if index not in made]
                        setattr(code, field_name, type(old)(kept))
                fresh.append(code)
            block.code = fresh


def _copy_argument(call: Instruction, index: int, target: Global) -> Instruction:
    copy = Instruction("call", location=call.location, callee=Address("llvm.memcpy.p0.p0.i64"))
    size = size_of(target.type)
    copy.args = [
        ("ptr", Address(target.name)),
        call.args[index],
        (64, Number(size)),
        (1, Number(0)),
    ]
    copy.aligns = (16, call.aligns[index], 1, 1)
    return copy


def _reachable(module: Module, symbol: str) -> set[str]:
    """Give the functions and globals that the top function may use."""
    reached: set[str] = set()
    pending = [symbol]
    while pending:
        name = pending.pop()
        if name in reached:
            continue
        reached.add(name)
        if name in module.functions:
            for block in module.functions[name].blocks:
                for instruction in block.code:
                    for _, operand in instruction.args:
                        pending += references(operand)
                    pending += references(instruction.callee)
        elif name in module.globals:
            pending += references(module.globals[name].init)
    for name in list(module.globals):
        if name not in reached:
            del module.globals[name]
    return reached


def _refuse_recursion(context: _Context) -> None:
    calls: dict[str, list[tuple[str, Instruction]]] = {}
    for function in context.module.functions.values():
        calls[function.name] = [
            (instruction.callee.name, instruction)
            for block in function.blocks
            for instruction in block.code
            if instruction.op == "call" and isinstance(instruction.callee, Address)
        ]
    done: set[str] = set()
    path: list[str] = []

    def visit(name: str) -> None:
        path.append(name)
        for callee, instruction in calls.get(name, ()):
            if callee in path:
                circle = [*path[path.index(callee) :], callee]
                shown = " -> ".join(
                    context.debug.name(_subprogram(context, f)) or f for f in circle
                )
                raise context.refuse(
                    context.module.functions[name],
                    instruction,
                    f"recursion: {shown}",
                    "write it as a loop, with a stack in an array where one is needed",
                )
            if callee not in done:
                visit(callee)
        path.pop()
        done.add(name)

    visit(context.symbol)


def _subprogram(context: _Context, name: str) -> int:
    return context.module.functions[name].subprogram


def _legalise_function(function: Function, context: _Context) -> None:
    if function.varargs:
        raise context.refuse(function, None, f"{function.name} takes a variable argument list")
    _refuse_type(function, None, function.result, context)
    for param in function.params:
        _refuse_type(function, None, param.type, context)
    done: list[Block] = []
    pending = list(function.blocks)
    pending.reverse()
    while pending:
        block = pending.pop()
        done.append(block)
        code, block.code = block.code, []
        for index, instruction in enumerate(code):
            _check_types(function, instruction, context)
            replaced = _rewrite(function, instruction, context)
            if isinstance(replaced, list):
                block.code += replaced
                if replaced and replaced[-1].op == "ret":
                    break
                continue
            # The instruction became a loop: the rest of the block comes after it.
            rest = Block(context.name(block.name), code[index + 1 :])
            _reroute(function, block.name, rest)
            done += _loop(block, rest.name, replaced, context)
            pending.append(rest)
            break
    function.blocks = done
    _remove_unreachable(function)


def _reroute(function: Function, old: str, rest: Block) -> None:
    """Let phis that name a block as predecessor name the block that got its terminator."""
    targets = set(rest.code[-1].labels)
    for block in function.blocks:
        if block.name in targets:
            for instruction in block.code:
                if instruction.op != "phi":
                    break
                instruction.labels = [
                    rest.name if label == old else label for label in instruction.labels
                ]
    for instruction in rest.code:
        if instruction.op == "phi":
            raise AssertionError("phis stand at the head of a block")


def _remove_unreachable(function: Function) -> None:
    by_name = {block.name: block for block in function.blocks}
    seen: set[str] = set()
    pending = [function.blocks[0].name]
    while pending:
        name = pending.pop()
        if name not in seen:
            seen.add(name)
            end = by_name[name].code[-1]
            if end.op in ("br", "switch"):
                pending += end.labels
    function.blocks = [block for block in function.blocks if block.name in seen]
    for block in function.blocks:
        for instruction in block.code:
            if instruction.op != "phi":
                break
            kept = [
                (arg, label)
                for arg, label in zip(instruction.args, instruction.labels, strict=True)
                if label in seen
            ]
            instruction.args = [arg for arg, _ in kept]
            instruction.labels = [label for _, label in kept]


def _check_types(function: Function, instruction: Instruction, context: _Context) -> None:
    _refuse_type(function, instruction, instruction.type, context)
    for type_, _ in instruction.args:
        _refuse_type(function, instruction, type_, context)


def _refuse_type(
    function: Function, instruction: Instruction | None, type_: Type, context: _Context
) -> None:
    if not isinstance(type_, Other) or type_.text in ("metadata", "label", "token"):
        return
    if type_.text.startswith("vector"):
        raise context.refuse(function, instruction, f"vector type {type_.text[7:]}")
    raise context.refuse(
        function,
        instruction,
        f"floating point ({type_.text})",
        "use integers, or compile a soft-float library in C into the program",
    )


def _rewrite(
    function: Function, instruction: Instruction, context: _Context
) -> list[Instruction] | _Copy:
    """Give what replaces an instruction: instructions, or a copy loop."""
    op = instruction.op
    if op == "call":
        return _rewrite_call(function, instruction, context)
    if op == "unreachable":
        return [_return(function, 0, instruction)]
    if op == "alloca":
        if instruction.args and not isinstance(instruction.args[0][1], Number):
            raise context.refuse(
                function,
                instruction,
                "an array whose length is known only at run time",
                "give it the largest length that is needed",
            )
        return [instruction]
    if op == "asm":
        raise context.refuse(function, instruction, "inline assembler")
    if op in ("indirectbr", "callbr"):
        raise context.refuse(
            function, instruction, "a computed goto", "use switch: it becomes the same hardware"
        )
    if op in _KNOWN:
        return [instruction]
    if op in ("insertelement", "extractelement", "shufflevector"):
        raise context.refuse(function, instruction, "a vector", "use an array and a loop")
    if op in ("atomicrmw", "cmpxchg", "fence"):
        raise context.refuse(
            function, instruction, "an atomic operation", "hardware runs one thread: use a plain one"
        )
    raise context.refuse(function, instruction, f"LLVM instruction {op} is not supported")


_KNOWN = words(
    """add sub mul udiv sdiv urem srem shl lshr ashr and or xor trunc zext sext ptrtoint
    inttoptr bitcast ptrtoaddr select freeze insertvalue extractvalue icmp phi getelementptr
    load store br switch ret"""
)


def _return(function: Function, value: int, origin: Instruction) -> Instruction:
    result = Instruction("ret", location=origin.location)
    if function.result != "void":
        width_known = function.result if isinstance(function.result, int) else 64
        result.args = [(function.result, Number(value & ((1 << width_known) - 1)))]
    return result


def _rewrite_call(
    function: Function, call: Instruction, context: _Context
) -> list[Instruction] | _Copy:
    callee = call.callee
    if not isinstance(callee, Address):
        return [call]
    name = callee.name
    if name.startswith(_IGNORED):
        return []
    if name.startswith(("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")):
        return _rewrite_memory(function, call, context)
    if name in _EXITS or name in _LEAVING:
        if function.name != context.symbol:
            raise context.refuse(
                function,
                call,
                f"{name} is called in a function that is not inlined into the top one",
                "return an error code instead",
            )
        if name in _EXITS:
            end = Instruction("ret", location=call.location)
            if function.result != "void":
                end.args = [(function.result, call.args[0][1])]
            return [end]
        value = _LEAVING[name]
        context.warnings.append(
            Warn(
                context.place(function, call),
                f"{name} ends the run"
                + (f" with result {value}" if function.result != "void" else ""),
            )
        )
        return [_return(function, value, call)]
    if name.startswith("llvm."):
        return [call]
    target = context.module.functions.get(name)
    if target is None or not target.blocks:
        raise _unresolved(function, call, name, context)
    if len(target.params) != len(call.args):
        raise context.refuse(
            function,
            call,
            f"{name} is called with {len(call.args)} arguments, not {len(target.params)}",
        )
    return [call]


def _unresolved(function: Function, call: Instruction, name: str, context: _Context) -> InputError:
    if name in _ALLOCATORS:
        return context.refuse(
            function, call, f"dynamic memory ({name})", "use a static array of the largest size"
        )
    return context.refuse(
        function,
        call,
        f"the program calls {name}, which it does not define",
        "add the file that defines it",
    )


@dataclass(frozen=True, slots=True)
class _Copy:
    """A loop that copies or fills memory, in pieces of `piece` bytes.

    `backward` is a value of 1 bit that asks for descending addresses, or None.
    """

    origin: Instruction
    target: Operand
    source: Operand | None
    fill: Operand | None
    length: Operand
    piece: int
    before: tuple[Instruction, ...] = ()
    move: bool = False


def _rewrite_memory(
    function: Function, call: Instruction, context: _Context
) -> list[Instruction] | _Copy:
    assert isinstance(call.callee, Address)
    kind = call.callee.name.split(".")[1]
    (_, target), (source_type, source), (_, length) = call.args[:3]
    fill = kind == "memset"
    limits = [call.aligns[0]] if fill else [call.aligns[0], call.aligns[1]]
    constant = isinstance(length, Number)
    if isinstance(length, Number):
        if length.value == 0:
            return []
        limits.append(length.value & -length.value)
    piece = min([8, *limits]) if constant else 1
    before: list[Instruction] = []
    value: Operand | None = None
    if fill:
        assert source_type == 8
        value = _spread(source, piece, call, before, context)
    if isinstance(length, Number) and length.value // piece <= _STRAIGHT_PIECES:
        return before + _straight(call, target, source, value, length.value, piece, context)
    return _Copy(
        call,
        target,
        None if fill else source,
        value,
        length,
        piece,
        tuple(before),
        kind == "memmove",
    )


def _spread(
    byte: Operand, piece: int, call: Instruction, code: list[Instruction], context: _Context
) -> Operand:
    """Give `piece` copies of a byte side by side."""
    pattern = sum(1 << (8 * index) for index in range(piece))
    if isinstance(byte, Number):
        return Number(byte.value * pattern)
    if piece == 1:
        return byte
    wide, result = context.name("wide"), context.name("fill")
    type_ = 8 * piece
    code.append(Instruction("zext", wide, type_, [(8, byte)], location=call.location))
    args: list[tuple[Type, Operand]] = [(type_, Local(wide)), (type_, Number(pattern))]
    code.append(Instruction("mul", result, type_, args, location=call.location))
    return Local(result)


def _straight(
    call: Instruction,
    target: Operand,
    source: Operand,
    fill: Operand | None,
    length: int,
    piece: int,
    context: _Context,
) -> list[Instruction]:
    """Write a short copy out: all loads, then all stores, which also serves memmove."""
    loads: list[Instruction] = []
    stores: list[Instruction] = []
    type_ = 8 * piece
    for offset in range(0, length, piece):
        value = fill
        if value is None:
            address, loaded = context.name("from"), context.name("piece")
            loads.append(_offset(address, source, Number(offset), call))
            load = Instruction("load", loaded, type_, [("ptr", Local(address))], align=piece)
            load.location = call.location
            loads.append(load)
            value = Local(loaded)
        address = context.name("to")
        stores.append(_offset(address, target, Number(offset), call))
        store = Instruction("store", args=[(type_, value), ("ptr", Local(address))], align=piece)
        store.location, store.source = call.location, type_
        stores.append(store)
    return loads + stores


def _offset(result: str, base: Operand, offset: Operand, call: Instruction) -> Instruction:
    return Instruction(
        "getelementptr",
        result,
        "ptr",
        [("ptr", base), (64, offset)],
        source=8,
        location=call.location,
    )


def _loop(block: Block, rest: str, copy: _Copy, context: _Context) -> list[Block]:
    """Close `block` with a jump into a copy loop that ends in `rest`; give the loop's blocks."""
    block.code += copy.before
    origin = copy.origin
    here = origin.location

    def make(op: str, type_: Type, *args: tuple[Type, Operand], detail: str = "") -> Operand:
        result = context.name(op)
        block_code.append(Instruction(op, result, type_, list(args), detail=detail, location=here))
        return Local(result)

    block_code = block.code
    loop = Block(context.name("copy"))
    backward: Operand | None = None
    if copy.move:
        assert copy.source is not None
        backward = make("icmp", 1, ("ptr", copy.source), ("ptr", copy.target), detail="ult")
    empty = make("icmp", 1, (64, copy.length), (64, Number(0)), detail="eq")
    block_code.append(Instruction("br", args=[(1, empty)], labels=[rest, loop.name], location=here))
    block_code = loop.code
    index, following = context.name("index"), context.name("next")
    phi = Instruction("phi", index, 64, [(64, Number(0)), (64, Local(following))], location=here)
    phi.labels = [block.name, loop.name]
    block_code.append(phi)
    offset: Operand = Local(index)
    if backward is not None:
        last = make("sub", 64, (64, copy.length), (64, Number(copy.piece)))
        mirrored = make("sub", 64, (64, last), (64, offset))
        offset = make("select", 64, (1, backward), (64, mirrored), (64, offset))
    value = copy.fill
    type_ = 8 * copy.piece
    if value is None:
        assert copy.source is not None
        address = context.name("from")
        block_code.append(_offset(address, copy.source, offset, origin))
        loaded = context.name("piece")
        load = Instruction("load", loaded, type_, [("ptr", Local(address))], align=copy.piece)
        load.location = here
        block_code.append(load)
        value = Local(loaded)
    address = context.name("to")
    block_code.append(_offset(address, copy.target, offset, origin))
    store = Instruction("store", args=[(type_, value), ("ptr", Local(address))], align=copy.piece)
    store.location, store.source = here, type_
    block_code.append(store)
    step: list[tuple[Type, Operand]] = [(64, Local(index)), (64, Number(copy.piece))]
    block_code.append(Instruction("add", following, 64, step, location=here))
    more = make("icmp", 1, (64, Local(following)), (64, copy.length), detail="ult")
    block_code.append(Instruction("br", args=[(1, more)], labels=[loop.name, rest], location=here))
    return [loop]

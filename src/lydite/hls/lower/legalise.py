# SPDX-License-Identifier: Apache-2.0
"""Makes optimised LLVM IR importable: rewrites what has a plain form, refuses what has none.

Memory intrinsics become loads and stores, in loops when they are long; `exit` and `abort` in the
top function become returns; arguments of `main` become those of a run without arguments. Recursion,
floating point, unresolved calls, dynamic allocation and the like are refused here, with the line.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lydite.base import InputError
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.names import words
from lydite.hls.frontend import debug_info, library, stream_calls
from lydite.hls.frontend.debug_info import DebugInfo
from lydite.hls.frontend.llvm_ast import (
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
from lydite.hls.lower import devirtualise, memory_calls

# Calls that leave the program: what the run answers with when the top function meets them.
_LEAVING = {"abort": 134, "__assert_fail": 134, "__assert_rtn": 134, "llvm.trap": 132}
_EXITS = frozenset(("exit", "_exit", "_Exit", "quick_exit"))
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


@dataclass(slots=True)
class _Context:
    module: Module
    debug: DebugInfo
    symbol: str
    top: str
    unoptimised: str
    warnings: list[Diagnostic] = field(default_factory=list)
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


def legalise(
    module: Module, debug: DebugInfo, *, symbol: str, top: str, unoptimised: str = ""
) -> list[Diagnostic]:
    """Rewrite a module in place; only functions that the top one may reach are kept.

    `unoptimised` is LLVM's text before optimisation, which still knows the line of every call.

    Raises
    ------
    InputError
        The program holds something that cannot become hardware.
    """
    context = _Context(module, debug, symbol, top, unoptimised)
    _fix_main(context)
    constructors = module.globals.get("llvm.global_ctors")
    if constructors is not None and isinstance(constructors.init, Aggregate):
        raise InputError(
            debug_info.definition(unoptimised, "__cxx_global_var_init") or top,
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
            done += memory_calls.loop(block, rest.name, replaced, context.name)
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
        f"floating point ({library.FLOATING.get(type_.text, type_.text)})",
        "use integers, or compile a soft-float library in C into the program",
    )


def _rewrite(
    function: Function, instruction: Instruction, context: _Context
) -> list[Instruction] | memory_calls.Copy:
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
        raise context.refuse(
            function,
            instruction,
            f'inline assembler: "{" ".join(instruction.detail.split())}"',
            "write it in C, or take the C that most programs have beside it: try -U__x86_64__",
        )
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
            function,
            instruction,
            "an atomic operation",
            "hardware runs one thread: use a plain one",
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
) -> list[Instruction] | memory_calls.Copy:
    callee = call.callee
    if not isinstance(callee, Address):
        return [call]
    name = callee.name
    if name.startswith(_IGNORED):
        return []
    if name.startswith(("llvm.memcpy.", "llvm.memmove.", "llvm.memset.")):
        return memory_calls.rewrite(call, context.name)
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
            Diagnostic(
                context.place(function, call),
                f"{name} ends the run"
                + (f" with result {value}" if function.result != "void" else ""),
            )
        )
        return [_return(function, value, call)]
    if name.startswith("llvm."):
        return [call]
    if name.startswith(stream_calls.STEM):
        return [call]
    if name == stream_calls.COUNT:
        raise context.refuse(
            function,
            call,
            "how many beats wait in a stream depends on time, which the C run does not have",
            "read until a beat with last, or pass the number of beats",
        )
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
    where = context.debug.where_called(call.location)
    where = where or debug_info.first_call(context.unoptimised, name)
    what, hint = library.refusal(name, debug_info.name_of(context.unoptimised, name))
    return InputError(where or context.place(function, call), what, hint)

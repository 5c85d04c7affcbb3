# SPDX-License-Identifier: Apache-2.0
"""Turns calls through pointers into a choice between the functions that may be meant."""

from __future__ import annotations

from collections.abc import Callable

from lydite.base import InputError
from lydite.hls.frontend import points_to
from lydite.hls.frontend.llvm_ast import (
    Address,
    Block,
    Function,
    Instruction,
    Local,
    Module,
    Operand,
    Type,
)

Refuse = Callable[[Function, Instruction | None, str, str], InputError]


def resolve(module: Module, symbol: str, refuse: Refuse) -> None:
    """Resolve all indirect calls of a module whose memory intrinsics are expanded.

    Raises
    ------
    InputError
        A pointer may point to no function that fits the call.
    """
    indirect = [
        function
        for function in module.functions.values()
        if any(
            code.op == "call" and not isinstance(code.callee, Address)
            for block in function.blocks
            for code in block.code
        )
    ]
    if not indirect:
        return
    solution = points_to.solve(module, symbol)
    for function in indirect:
        blocks: list[Block] = []
        pending = list(reversed(function.blocks))
        count = 0
        while pending:
            block = pending.pop()
            blocks.append(block)
            for index, code in enumerate(block.code):
                if code.op != "call" or isinstance(code.callee, Address):
                    continue
                count += 1
                assert code.callee is not None
                names = _targets(module, solution.of(function.name, code.callee), code)
                if not names:
                    raise refuse(
                        function,
                        code,
                        "a call through a function pointer that does not resolve",
                        "call the function by name, or keep the pointer in a table that is known",
                    )
                rest = Block(f"{block.name}.called.{count}", block.code[index + 1 :])
                _rename_predecessor(function, pending, blocks, block.name, rest)
                block.code = block.code[:index]
                blocks += _choose(block, rest, code, names, count)
                pending.append(rest)
                break
        function.blocks = blocks


def _targets(module: Module, names: list[str], call: Instruction) -> list[str]:
    """Give the functions among some objects that fit a call."""
    types = [type_ for type_, _ in call.args]
    result = []
    for name in names:
        function = module.functions.get(name)
        if function is None or not function.blocks or function.varargs:
            continue
        if [param.type for param in function.params] == types and function.result == call.type:
            result.append(name)
    return sorted(result)


def _rename_predecessor(
    function: Function, pending: list[Block], done: list[Block], old: str, rest: Block
) -> None:
    """Let phis that name a split block name the part that kept its terminator."""
    targets = set(rest.code[-1].labels)
    for block in [*pending, *done, rest]:
        if block.name in targets:
            for code in block.code:
                if code.op == "phi":
                    code.labels = [rest.name if label == old else label for label in code.labels]


def _choose(
    block: Block, rest: Block, call: Instruction, names: list[str], number: int
) -> list[Block]:
    """Compare the pointer with each function but the last, and call the one that it is."""
    pointer = call.callee
    assert pointer is not None
    calls: list[Block] = []
    values: list[tuple[Type, Operand]] = []
    for index, name in enumerate(names):
        direct = Instruction(
            "call",
            f"{call.result}.{number}.{index}" if call.result else "",
            call.type,
            list(call.args),
            callee=Address(name),
            byval=call.byval,
            aligns=call.aligns,
            location=call.location,
        )
        jump = Instruction("br", labels=[rest.name], location=call.location)
        calls.append(Block(f"{block.name}.call.{number}.{index}", [direct, jump]))
        values.append((call.type, Local(direct.result)))
    tests: list[Block] = []
    current = block
    # The last one needs no test: what points elsewhere has no meaning in C.
    for index, name in enumerate(names[:-1]):
        match = f"is.{number}.{index}"
        pair: list[tuple[Type, Operand]] = [("ptr", pointer), ("ptr", Address(name))]
        current.code.append(
            Instruction("icmp", match, 1, pair, detail="eq", location=call.location)
        )
        branch = Instruction("br", args=[(1, Local(match))], location=call.location)
        current.code.append(branch)
        following = calls[-1]
        if index < len(names) - 2:
            following = Block(f"{block.name}.test.{number}.{index}")
            tests.append(following)
        branch.labels = [calls[index].name, following.name]
        current = following
    if len(names) == 1:
        block.code.append(Instruction("br", labels=[calls[0].name], location=call.location))
    if call.result:
        phi = Instruction("phi", call.result, call.type, values, location=call.location)
        phi.labels = [made.name for made in calls]
        rest.code.insert(0, phi)
    return tests + calls

# SPDX-License-Identifier: Apache-2.0
"""From C and C++ files to one optimised LLVM module, with pragmas and array sizes collected.

Preprocess each file; mark its pragma lines; measure the parameters of the top function; compile;
link; hand pragmas to LLVM as attributes and loop metadata; optimise. What LLVM does here is what
any compiler does; everything that concerns hardware comes later, in our own IR.
"""

from __future__ import annotations

import contextlib
import re
import tempfile
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import llvmlite.binding

from lydite.base import InputError, digest
from lydite.hls.contract.diagnostics import Diagnostic, Diagnostics
from lydite.hls.contract.directives import LOOP, Directive, Interface
from lydite.hls.contract.names import words
from lydite.hls.contract.options import Options
from lydite.hls.frontend import (
    attach_directives,
    clang,
    debug_info,
    library_stubs,
    llvm_asm,
    llvm_undefined,
    mark_pragmas,
    number_loops,
    pragma_constants,
    preserve_loops,
    stderr_filter,
    stream_calls,
    structures,
    wide_integers,
)
from lydite.hls.frontend import parameters as frontend_parameters
from lydite.hls.frontend.external_directives import Outside

# llvmlite has no annotations.
llvm: Any = llvmlite.binding

# Only its cost model is used, to decide what is cheap to unroll or speculate: a plain 64-bit
# machine without vector unit or condition flags is nearest to what hardware finds cheap.
_COST_MODEL = "riscv64-unknown-elf"
# A third of a processor's: a copy of a function costs area here, a call a cycle or two. What is
# called once is inlined whatever it costs.
_INLINE_THRESHOLD = 75
# The second run promotes to registers what became constant-indexed when the first one unrolled.
_OPTIMISER_RUNS = 2
_RUNTIME = Path(__file__).parent / "runtime" / "libc.c"
_RUNTIME_NAMES = words(
    """memcmp bcmp memchr strlen strnlen strcmp strncmp strcpy strncpy strcat strchr strrchr
    strstr abs labs llabs ffs isdigit isupper islower isalpha isalnum isspace isxdigit
    isprint ispunct iscntrl toupper tolower atoi"""
)
_DEPTH = re.compile(
    r"^@__lydite_depth_(\d+) = .*?(?:\[i64 (\d+), i64 (\d+)\]|(zeroinitializer)).*\n", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Program:
    """An optimised LLVM module and what the source said beside the code.

    Attributes
    ----------
    text : str
        LLVM IR, all functions internal but the top one.
    symbol : str
        Linker symbol of the top function.
    directives : tuple of Directive
        By number; loops refer to them by metadata `lydite.pragma`, variables by annotations. Those
        from outside come last.
    function_directives : tuple of (str, int)
        Symbol of a function and a directive that stands in it outside of any loop.
    numbered : range
        The directives that only number loops: see `number_loops`.
    ignored : frozenset of int
        Directives that have no place, which is said or wanted from outside, or one
        that the top function does not reach.
    absorbed : frozenset of str
        Symbols of functions that become part of what is pipelined.
    parameters : tuple of Parameter
        Declarations of the top function's parameters.
    sizes : tuple of (str, int)
        Bytes of the top function's array parameters, where the declaration says it; negative: so
        many elements, by an option or a directive.
    types : str
        LLVM IR before optimisation, with all debug types.
    digest : str
        SHA-256 over the preprocessed sources.
    """

    text: str
    symbol: str
    directives: tuple[Directive, ...]
    function_directives: tuple[tuple[str, int], ...]
    numbered: range
    ignored: frozenset[int]
    absorbed: frozenset[str]
    parameters: tuple[frontend_parameters.Parameter, ...]
    sizes: tuple[tuple[str, int], ...]
    types: str
    digest: str


def build(options: Options, log: Diagnostics, copied: Collection[int] = ()) -> Program:
    """Run the front end; `log` takes what the user should know.

    `copied` are the numbers of loops to unroll that no directive speaks of: see `number_loops`.

    Raises
    ------
    InputError
        A source is missing or does not compile, none defines the top function, or a directive from
        outside has no place.
    """
    found: list[Directive] = []
    parameters: tuple[frontend_parameters.Parameter, ...] = ()
    sizes: dict[str, int] = {}
    modules: list[str] = []
    texts: list[str] = []
    with tempfile.TemporaryDirectory(prefix="lydite-hls-") as folder:
        for number, source in enumerate(options.sources):
            text = _preprocess(source, Path(folder) / f"{number}", options)
            flags = [*_flags(options, source), *clang.includes(options.include_dirs)]
            text = pragma_constants.resolve(text, source, Path(folder), flags)
            texts.append(text)
            cxx = clang.is_cxx(source)
            text, more, notes = mark_pragmas.mark(text, str(source), len(found), cxx=cxx)
            found += more
            log.add(*notes)
            declared = frontend_parameters.parameters(text, options.top)
            module, measured, notes = _compile(text, declared, source, Path(folder), options, found)
            log.add(*notes)
            if declared is not None and not parameters:
                parameters = declared
            sizes.update(measured)
            modules.append(module)
        symbol = _symbol_of(modules, options)
        modules += _runtime(modules, Path(folder))
    for name, count in options.depths:
        sizes[name] = -count  # in elements: the importer knows their size
    plain = [library_stubs.drop_output(text) for text in modules]
    entries = [(len(found) + at, placed) for at, placed in enumerate(options.directives)]
    found += [placed.parsed() for placed in options.directives]
    linked = _link([_cleaned(stream_calls.expand(text), symbol) for text, _ in plain])
    linked = llvm_undefined.without_promises(linked, symbol)
    modules_called = frozenset(macro.function for macro in options.macros)
    outside = Outside(options.top, entries)
    marked = attach_directives.apply(linked, found, outside, symbol, modules_called)
    log.add(*marked.warnings)
    for function, at in marked.in_functions:
        directive = found[at]
        if function == symbol and isinstance(directive, Interface) and directive.depth:
            sizes.setdefault(directive.port, -directive.depth)
    log.add(*(note for _, notes in plain for note in notes))
    types = marked.text
    numbered = len(found)
    if options.effort != "area":
        types, more = number_loops.mark(types, found, copied)
        found += more
    kept = frozenset(_symbols_of([macro.function for macro in options.macros], types))
    text, notes = preserve_loops.optimised(
        types,
        found,
        symbol,
        lambda held, once: _optimise(
            symbol, parameters, sizes, held, kept, runs=1 if once else _OPTIMISER_RUNS
        ),
        _without_dead_loops,
    )
    log.add(*notes)
    return Program(
        text=text,
        symbol=symbol,
        directives=tuple(found),
        function_directives=marked.in_functions,
        numbered=range(numbered, len(found)),
        ignored=marked.ignored,
        absorbed=marked.absorbed,
        parameters=parameters,
        sizes=tuple(sorted(sizes.items())),
        types=types,
        digest=digest.of_value([_without_paths(text) for text in texts]),
    )


def _without_paths(text: str) -> str:
    """Drop line markers, so that the digest does not depend on where the sources lie."""
    return "\n".join(line for line in text.split("\n") if not line.startswith("#"))


def _preprocess(source: Path, stem: Path, options: Options) -> str:
    if not source.is_file():
        raise InputError(str(source), "no such file", "name a C or C++ source")
    return clang.preprocess(
        source,
        stem.with_suffix(".i"),
        flags=_flags(options, source),
        include_dirs=options.include_dirs,
    )


def files_read(options: Options) -> set[str]:
    """Give the files that the sources are made of, headers of the compiler apart."""
    with tempfile.TemporaryDirectory(prefix="lydite-hls-") as folder:
        texts = [_preprocess(source, Path(folder) / "x", options) for source in options.sources]
    return {name for text in texts for name in clang.files_read(text)}


def _flags(options: Options, source: Path) -> list[str]:
    named = clang.macros(options.defines, options.undefines)
    return [*named, *_standard(options, source)]


def _standard(options: Options, source: Path) -> list[str]:
    """Give `-std=`, unless it is of the other language: one program may mix C and C++."""
    if not options.std or ("++" in options.std) != clang.is_cxx(source):
        return []
    return [f"-std={options.std}"]


def _compile(
    text: str,
    declared: tuple[frontend_parameters.Parameter, ...] | None,
    source: Path,
    folder: Path,
    options: Options,
    directives: Sequence[Directive],
) -> tuple[str, dict[str, int], list[Diagnostic]]:
    """Compile preprocessed text, and measure the parameters of the top function if it is there."""
    warnings: list[Diagnostic] = []
    # Where a scope's end is marked, a `break` makes LLVM lose what a loop is told.
    told = any(entry.loop for entry in options.directives)
    told = told or any(LOOP in item.places for item in directives) or options.effort != "area"
    kept = ["-Xclang", "-disable-lifetime-markers"] if told else []
    cxx = clang.is_cxx(source)
    suffix = ".cpp" if cxx else ".c"
    shown = str(source).replace("\\", "\\\\").replace('"', '\\"')
    linkage = 'extern "C" ' if cxx else ""
    prototypes = (
        f"{mark_pragmas.MARKER}(int)",
        f"{mark_pragmas.VARIABLE_MARKER}(int, const volatile void*)",
    )
    head = "".join(f"{linkage}void {each};" for each in prototypes) + f'\n# 1 "{shown}"\n'
    measured = {i: p for i, p in enumerate(declared or ()) if p.sized}
    while True:
        probes = "".join(_probe(i, p.member, p.name, cxx=cxx) for i, p in measured.items())
        if declared is not None and not cxx:
            # A static or inline top function would be dropped before we see it.
            probes += f'# 1 "<lydite>"\nconst void *__lydite_keep = (const void *){options.top};\n'
        path = folder / f"source{suffix}"
        path.write_text(f"{head}{text}\n{probes}", encoding="utf-8", errors="surrogateescape")
        try:
            module = clang.compile_to_llvm(
                path, folder / "source.ll", flags=[*_standard(options, source), *kept]
            )
            break
        except InputError as error:
            marker = mark_pragmas.PLACE.match(error.where)
            if marker is not None:
                warnings.append(mark_pragmas.refused(directives[int(marker[1])], error.what))
                text = mark_pragmas.without(text, int(marker[1]))
                continue
            blamed = re.match(r"<lydite-(\d+)>", error.where)
            if blamed is None or int(blamed[1]) not in measured:
                raise
            # A size that depends on another parameter, say: left to --depth.
            del measured[int(blamed[1])]
    sizes: dict[str, int] = {}
    for number, size, is_array, zero in _DEPTH.findall(module):
        if not zero and int(is_array):
            sizes[measured[int(number)].name] = int(size)
    return _DEPTH.sub("", module), sizes, warnings


def _probe(number: int, member: str, name: str, *, cxx: bool) -> str:
    holder = f"struct __lydite_parameter_{number}"
    head = f'# 1 "<lydite-{number}>"\n{holder} {{ {member}; }};\n'
    if cxx:
        kind = f"decltype(__lydite_parameter_{number}::{name})"
        is_array = f"__is_array({kind}) || __is_reference({kind})"
        linkage = 'extern "C" '
        size = f"sizeof({kind})"
    else:
        value = f"(({holder} *)0)->{name}"
        is_array = f"!__builtin_types_compatible_p(__typeof__({value}), __typeof__({value} + 0))"
        linkage = ""
        size = f"sizeof({value})"
    declaration = f"{linkage}const unsigned long long __lydite_depth_{number}[2]"
    return f"{head}{declaration} = {{ {size}, {is_array} }};\n"


def _symbol_of(modules: Iterable[str], options: Options) -> str:
    """Give the linker symbol of the top function: its name, or what C++ made of it."""
    symbols: set[str] = set()
    for module in modules:
        if re.search(rf"^define [^\n]*@{re.escape(options.top)}\(", module, re.MULTILINE):
            return options.top
        pattern = rf'DISubprogram\(name: "{re.escape(options.top)}", linkageName: "(\w+)"'
        symbols.update(
            symbol
            for symbol in re.findall(pattern, module)
            if re.search(rf"^define [^\n]*@{symbol}\(", module, re.MULTILINE)
        )
    if len(symbols) == 1:
        return symbols.pop()
    where = ", ".join(str(source) for source in options.sources)
    if symbols:
        names = ", ".join(sorted(symbols))
        raise InputError(
            where,
            f"the top function {options.top} is overloaded",
            f'name one of {names}, or declare it extern "C"',
        )
    raise InputError(
        where, f"no definition of the top function {options.top}", "check the name given as --top"
    )


def _symbols_of(functions: Iterable[str], text: str) -> Iterator[str]:
    """Give the linker symbols of functions by their C names."""
    for name in functions:
        if re.search(rf"^define [^\n]*@{re.escape(name)}\(", text, re.MULTILINE):
            yield name
        pattern = rf'DISubprogram\(name: "{re.escape(name)}", linkageName: "(\w+)"'
        yield from re.findall(pattern, text)


def _runtime(modules: list[str], folder: Path) -> list[str]:
    """Compile our C versions of library functions that the program does not define."""
    defined = {
        name for text in modules for name in re.findall(r"^define [^\n]*?@([\w.$]+)\(", text, re.M)
    }
    wanted = {
        name for text in modules for name in re.findall(r"^declare [^\n]*?@([\w.$]+)\(", text, re.M)
    } - defined
    if not wanted & _RUNTIME_NAMES:
        return []
    return [clang.compile_to_llvm(_RUNTIME, folder / "runtime.ll", flags=["-std=c11"])]


def _cleaned(text: str, symbol: str) -> str:
    """Drop what belongs to another machine, and forbid LLVM to invent library calls."""
    text = library_stubs.inline_leavers(llvm_asm.without_barriers(text), symbol)
    text = re.sub(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*" ?', "", text)
    return re.sub(r"^(attributes #\d+ = \{)", r'\1 "no-builtins"', text, flags=re.MULTILINE)


def _link(texts: list[str]) -> str:
    linked = llvm.parse_assembly(texts[0])
    for text in texts[1:]:
        try:
            linked.link_in(llvm.parse_assembly(text))
        except RuntimeError as error:
            raise _defined_twice(str(error).strip(), texts) from error
    return str(linked)


def _defined_twice(message: str, texts: list[str]) -> InputError:
    """Say where the two definitions are that the linker cannot join."""
    name = re.search(r"'([^']+)': symbol multiply defined", message)
    places = [debug_info.definition(text, name[1]) for text in texts] if name else []
    known = [place for place in places if place]
    if name is None or len(known) < 2:
        return InputError("link", message, "define each symbol once")
    what = f"{name[1]} is defined twice, first at {known[0]}"
    return InputError(known[1], what, "define each symbol once")


def _optimise(
    symbol: str,
    parameters: tuple[frontend_parameters.Parameter, ...],
    sizes: dict[str, int],
    types: str,
    kept: frozenset[str],
    *,
    runs: int,
) -> str:
    llvm.initialize_all_targets()
    machine = llvm.Target.from_triple(_COST_MODEL).create_target_machine(opt=2)

    def ran(text: str) -> str:
        return _ran(symbol, parameters, sizes, text, kept, machine, runs=runs)

    plain = ran(types)
    # Most structures are values by then, and need no more.
    if not structures.are_left(plain):
        return plain
    taken_apart = structures.apart(types, symbol, kept, machine)
    return ran(taken_apart) if taken_apart != types else plain


def _ran(
    symbol: str,
    parameters: tuple[frontend_parameters.Parameter, ...],
    sizes: dict[str, int],
    types: str,
    kept: frozenset[str],
    machine: Any,
    *,
    runs: int,
) -> str:
    text = wide_integers.widen(types, symbol)
    for name in sorted(kept):
        text = library_stubs.add_attribute(text, name, "noinline")
    if parameters:
        text = _annotate_top(text, symbol, parameters, sizes)
    module = llvm.parse_assembly(text)
    for function in module.functions:
        if not function.is_declaration:
            # What may be called from outside keeps its arguments.
            outside = function.name == symbol or function.name in kept
            function.linkage = "external" if outside else "internal"
    for variable in module.global_variables:
        if not variable.is_declaration and not variable.name.startswith("llvm."):
            variable.linkage = "internal"
    for _ in range(runs):
        tuning = llvm.create_pipeline_tuning_options(speed_level=2)
        tuning.loop_vectorization = False
        tuning.slp_vectorization = False
        tuning.loop_interleaving = False
        tuning.loop_unrolling = True
        tuning.inlining_threshold = _INLINE_THRESHOLD
        builder = llvm.create_pass_builder(machine, tuning)
        loops = "llvm.loop.unroll." in text
        with stderr_filter.without_loop_messages() if loops else contextlib.nullcontext():
            builder.getModulePassManager().run(module, builder)
    return str(module)


def _without_dead_loops(text: str) -> str:
    """Drop the loops of optimised LLVM IR that do nothing."""
    module = llvm.parse_assembly(text)
    machine = llvm.Target.from_triple(_COST_MODEL).create_target_machine(opt=2)
    builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
    manager = llvm.create_new_module_pass_manager()
    manager.add_loop_deletion_pass()
    manager.run(module, builder)
    return str(module)


def _annotate_top(
    text: str,
    symbol: str,
    parameters: tuple[frontend_parameters.Parameter, ...],
    sizes: dict[str, int],
) -> str:
    """Tell LLVM that the top function's arrays are memories of their own, and how large."""

    def annotate(match: re.Match[str]) -> str:
        name = match[2]
        size = sizes.get(name, 0)
        attributes = "noalias "
        if size > 0:
            declared = next((p for p in parameters if p.name == name), None)
            writable = declared is not None and not re.search(r"\bconst\b", declared.text)
            attributes += f"{'writable ' if writable else ''}dereferenceable({size}) "
        return f"ptr {attributes}{match[1]}%{name}"

    pattern = re.compile(rf"^(define [^\n]*@{re.escape(symbol)}\()([^\n]*)$", re.MULTILINE)
    line = pattern.search(text)
    assert line is not None, "the top function was found before"
    head = re.sub(r"ptr ((?:noundef |nonnull |align \d+ )*)%(\w+)", annotate, line[2])
    return text[: line.start(2)] + head + text[line.end(2) :]

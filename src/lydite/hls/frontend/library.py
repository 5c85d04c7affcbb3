# SPDX-License-Identifier: Apache-2.0
"""Words for calls that cannot become hardware: what the function is, and what to do instead."""

from __future__ import annotations

from lydite.hls.contract.names import words

_FILE = "add the file that defines it"
_KINDS: tuple[tuple[frozenset[str], str, str], ...] = (
    (
        words("setjmp _setjmp sigsetjmp __sigsetjmp longjmp _longjmp siglongjmp"),
        "a jump out of functions",
        "return a code that says why, and look at it where the call is",
    ),
    (
        words(
            """malloc calloc realloc free aligned_alloc posix_memalign alloca strdup strndup _Znwm
            _Znam _ZdlPv _ZdaPv _ZdlPvm _ZdaPvm _ZnwmSt11align_val_t _ZdlPvSt11align_val_t"""
        ),
        "dynamic memory",
        "use a static array of the largest size",
    ),
    (
        words(
            """scanf fscanf sscanf gets fgets fgetc getc getchar fread fopen fseek ftell rewind feof
            read write open close lseek ungetc getline"""
        ),
        "input and files",
        "read in main, the testbench, and pass what was read as an argument",
    ),
    (
        words("sprintf snprintf vsprintf vsnprintf strtol strtoul strtoll strtoull strtod atof"),
        "text made of numbers, or numbers of text",
        "do it in main, the testbench, or write the few lines that are needed",
    ),
    (
        words("qsort bsearch qsort_r"),
        "a call back through a pointer, inside the C library",
        "write the loop: a sort of a few lines with the comparison in it",
    ),
    (
        words("rand srand random srandom rand_r drand48 arc4random getrandom"),
        "random numbers of the C library",
        "write the generator, a shift register for one, or pass the numbers as an argument",
    ),
    (
        words("time clock clock_gettime gettimeofday usleep sleep nanosleep localtime gmtime"),
        "the time of day",
        "pass it as an argument",
    ),
    (
        words("getenv system signal raise fork execve kill getpid ioctl mmap munmap"),
        "a service of the operating system",
        "leave it to main, the testbench",
    ),
    (
        words(
            """__cxa_throw __cxa_begin_catch __cxa_allocate_exception __cxa_rethrow
            _ZSt9terminatev _ZNSt3__122__libcpp_verbose_abortEPKcz"""
        ),
        "an exception",
        "return a code that says why",
    ),
)
_PREFIXES = (
    (("pthread_", "thrd_", "mtx_", "sem_"), "a thread", "hardware runs one thread: call it"),
    (("_ZNSt3__1",), "of the C++ library, which is no source", "write it as a loop over an array"),
    (("_ZTV", "__dynamic_cast"), "a virtual function", "call by name, or use a template"),
)


def refusal(symbol: str, name: str) -> tuple[str, str]:
    """Say what a call of an undefined function asks for, and what to do.

    Parameters
    ----------
    symbol, name : str
        The linker's name, and that of the source.
    """
    for known, what, hint in _KINDS:
        if symbol in known:
            return f"{what} ({name})", hint
    for prefixes, what, hint in _PREFIXES:
        if symbol.startswith(prefixes):
            return f"the program calls {name}: {what}", hint
    return f"the program calls {name}, which it does not define", _FILE


FLOATING = {
    "half": "_Float16",
    "bfloat": "__bf16",
    "x86_fp80": "long double",
    "fp128": "__float128",
}

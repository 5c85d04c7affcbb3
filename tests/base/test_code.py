# SPDX-License-Identifier: Apache-2.0
"""What a digest of code covers: a module with all that it loads, or the text of a class."""

from __future__ import annotations

import subprocess
import sys

from lydite.base import code, digest
from lydite.sim import verify


def test_imports_are_what_python_loads() -> None:
    name = "lydite.sim.verify"
    script = f"import sys, {name}; print(*sorted(m for m in sys.modules if m.startswith('lydite')))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    # Not a module of this package: what an editable install brings.
    loaded = {m for m in run.stdout.split() if m.partition(".")[0] == "lydite"}
    assert loaded == set(code.imports(name))


def test_digest_of_imports_is_not_that_of_the_module_alone() -> None:
    assert code.of_imports(verify) != code.of(verify) != code.of(digest)


def test_digest_of_a_class_is_that_of_its_text() -> None:
    assert code.of(verify.Verified) != code.of(verify)
    assert code.of(verify.Verified, verify) != code.of(verify, verify.Verified)

# SPDX-License-Identifier: Apache-2.0
"""Studies: published tables, made again and set beside ours; one file a study.

May import all but `cli`. Start reading at `study.Study`; `docs/reproduce.md` is the contract page,
and `STUDIES` lists what there is.
"""

from __future__ import annotations

from lydite.base.errors import InputError
from lydite.report.table import Table, plain
from lydite.studies.blake3 import Blake3
from lydite.studies.dilithium2 import Dilithium2
from lydite.studies.sha3_candidates import Sha3Candidates
from lydite.studies.sponge import Sponge
from lydite.studies.src6e import Src6e
from lydite.studies.study import Asked, Found, Study
from lydite.studies.testbed import Testbed

STUDIES: tuple[type[Study], ...] = (Src6e, Sponge, Sha3Candidates, Testbed, Blake3, Dilithium2)


def find(name: str) -> Study:
    """Give the study of a name.

    Raises
    ------
    InputError
        There is none.
    """
    for study in STUDIES:
        if study.name == name:
            return study()
    known = ", ".join(study.name for study in STUDIES)
    raise InputError("NAME", f"no such study: {name!r}", f"there are: {known}")


def listing() -> Table:
    """List the studies."""
    rows = [(one.name, one.title, one().theirs.source) for one in STUDIES]
    return plain("Studies", ("study", "what", "source"), rows)


__all__ = ["STUDIES", "Asked", "Found", "Study", "find", "listing"]

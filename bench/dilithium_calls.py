# SPDX-License-Identifier: Apache-2.0
"""Write calls of an operation of Dilithium for `main` of its cores (`hls/check.h`), a call a line.

`python bench/dilithium_calls.py dilithium2 sign > sign.txt` writes the known answers of the
catalogue; with `--records 100` the first 100 records of the designers' file, made as NIST's frame
makes them, of which the catalogue has 20. `all` is for the core of all operations: each call has
the packet before it that says which it is.
"""

from __future__ import annotations

import argparse

from lydite.cores import catalog
from lydite.studies.dilithium2_calls import header, lines

_RECORDS = 100


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("primitive", choices=("dilithium2", "ml-dsa-44"))
    parser.add_argument("operation", choices=("keygen", "sign", "verify", "all"))
    parser.add_argument("--first", type=int, help="no more than so many of an operation")
    parser.add_argument("--records", type=int, help="of dilithium2: so many of the designers'")
    given = parser.parse_args()
    for option, number in (("--first", given.first), ("--records", given.records)):
        if number is not None and number < 1:
            parser.error(f"{option}: must be above 0, not {number}")
    if given.records is not None and given.primitive != "dilithium2":
        parser.error("--records: the designers' file is of dilithium2")
    if given.records is not None and given.records > _RECORDS:
        parser.error(f"--records: the designers have {_RECORDS}, not {given.records}")
    primitive = catalog.primitive(given.primitive)
    for operation in primitive.operations:
        if given.operation in (operation.name, "all"):
            before = header(primitive, operation.name) if given.operation == "all" else ""
            for one in lines(primitive, operation.name, given.records)[: given.first]:
                print(before + one)


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""`python -m lydite`: the command line."""

from __future__ import annotations

import sys

from lydite.cli import main

sys.exit(main())

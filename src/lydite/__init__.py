# SPDX-License-Identifier: Apache-2.0
"""Lydite, the touchstone for cryptographic hardware.

Packages, each of which may import only those to its left:
`base < targets, cores < tools < hls < sim < runs < search < report < cli`.
"""

from __future__ import annotations

__version__ = "0.1.0"

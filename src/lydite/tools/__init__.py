# SPDX-License-Identifier: Apache-2.0
"""Adapters of external tools, one file an executable: find, version, command, parse.

No order of steps, no policy and no cache here. May import `base`, `targets`, `cores`. Start
reading at `tool`; the contract of an adapter is docs/tools.md.
"""

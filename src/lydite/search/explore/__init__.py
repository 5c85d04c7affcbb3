# SPDX-License-Identifier: Apache-2.0
"""The exploration of directives: which of them make a C kernel fast, and which small.

May import what `search` may. Start reading at `driver`; docs/explore.md is the contract.
"""

# SPDX-License-Identifier: Apache-2.0
"""The search: the best clock that a core can reach on a target.

May import `runs` and all below it. Start reading at `strategy`; docs/search.md is the contract.
"""

# SPDX-License-Identifier: Apache-2.0
"""Groestl-256 as its designers submitted it to the second round of the SHA-3 contest."""

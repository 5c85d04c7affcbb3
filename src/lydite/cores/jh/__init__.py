# SPDX-License-Identifier: Apache-2.0
"""JH-256 as its designers submitted it to the second round of the SHA-3 contest."""

# SPDX-License-Identifier: Apache-2.0
"""Dilithium2 and ML-DSA-44: a signature scheme over module lattices."""

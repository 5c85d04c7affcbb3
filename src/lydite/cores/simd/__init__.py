# SPDX-License-Identifier: Apache-2.0
"""SIMD-256 of SHA-3's second round: specification and software. Start reading at `spec`."""

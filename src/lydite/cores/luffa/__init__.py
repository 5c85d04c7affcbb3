# SPDX-License-Identifier: Apache-2.0
"""Luffa-256 of SHA-3's second round. Start reading at `spec`, then `rtl/luffa.v`."""

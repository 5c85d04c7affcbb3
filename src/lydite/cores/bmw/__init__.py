# SPDX-License-Identifier: Apache-2.0
"""BMW-256 of SHA-3's second round. Start reading at `spec`, then `rtl/bmw.v`."""

# SPDX-License-Identifier: Apache-2.0
"""BLAKE3. Start reading at `spec`, then `rtl/blake3_core.v`."""

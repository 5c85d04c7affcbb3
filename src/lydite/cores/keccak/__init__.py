# SPDX-License-Identifier: Apache-2.0
"""Keccak: SHA-3 and SHAKE of FIPS 202. Start reading at `spec`, then `rtl/keccak_stream.v`."""

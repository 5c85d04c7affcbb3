# SPDX-License-Identifier: Apache-2.0
"""AES-128 of FIPS 197. Start reading at `spec`, then `rtl/aes_stream.v`."""

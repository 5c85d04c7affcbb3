# SPDX-License-Identifier: Apache-2.0
"""CRC-32 and Adler-32."""

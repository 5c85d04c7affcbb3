# SPDX-License-Identifier: Apache-2.0
"""Hamsi-256 of SHA-3's second round: specification, software, hardware. Start reading at `spec`."""

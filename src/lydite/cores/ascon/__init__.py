# SPDX-License-Identifier: Apache-2.0
"""Ascon of NIST SP 800-232. Start reading at `spec`, then `rtl/ascon_aead.v`."""

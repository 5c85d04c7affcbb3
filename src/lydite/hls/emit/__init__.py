# SPDX-License-Identifier: Apache-2.0
"""Bound functions to Verilog.

May import `contract`, `ir`, `schedule`, `bind`, and of `lower` what ports there are. Start reading
at `design`, which puts the modules together; `function` is the body of one.
"""

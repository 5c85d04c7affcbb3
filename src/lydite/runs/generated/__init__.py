# SPDX-License-Identifier: Apache-2.0
"""Cores that are written by a program: a `core.toml`, and Verilog around what there is.

May import what stands beside the rooms. Start reading at `export`; `slices` makes an accelerator of
several of a core.
"""

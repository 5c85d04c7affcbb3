# SPDX-License-Identifier: Apache-2.0
"""Simulation: build models, drive them, prove designs.

May import `base`, `targets`, `cores`, `tools`, `hls`. Start reading at `verify`; `cosim` has
a package of its own.
"""

# SPDX-License-Identifier: Apache-2.0
"""The routed netlist of a core: proven without delays, analysed and simulated with them.

`boundary` finds the core in it; `proof` writes it as Verilog for the harness that proves sources;
`model` is what it does and when, of which `static` finds the slowest paths and `timed` simulates
whole stimuli at a clock.
"""

# SPDX-License-Identifier: Apache-2.0
"""The testbed: a core behind FIFOs, two clocks, a DMA and job registers, with a model of the rest.

Start reading at `measure`, then `wrapper` (the hardware) and `model` (what is around it).
"""

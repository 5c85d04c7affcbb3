# SPDX-License-Identifier: Apache-2.0
"""A core on a board: the hardware between it and a UART, what goes over the line, a simulation.

`wrapper` makes the hardware, `records` puts calls into its records and reads answers, `link` speaks
with a board, real or simulated; `simulated` is one. Nothing here knows of tools that place.
"""

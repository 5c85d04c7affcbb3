# SPDX-License-Identifier: Apache-2.0
"""What goes into the compiler and what comes out, as plain data; nothing here computes hardware.

Imports nothing of `hls`: all rooms stand on it. Start reading at `options`, then `report` and
`interface`; `directives` is the table of what a program may ask for.
"""

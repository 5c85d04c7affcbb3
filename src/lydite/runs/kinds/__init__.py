# SPDX-License-Identifier: Apache-2.0
"""What can be run: a file a kind of job, with what several of them share.

May import `generated` and `processors`, and what stands beside the rooms. Start reading at
`compilation`, then `hardware`: C to Verilog, Verilog to a placed core.
"""

# SPDX-License-Identifier: Apache-2.0
"""What a scheduled function is made of: states, registers, ports of memories, units.

May import `contract`, `ir`, `passes` and `schedule`. Start reading at `binding`, the result, then
`binder`. `verify`, `verify_registers` and `verify_pipeline` check it without what made it.
"""

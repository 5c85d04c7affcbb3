# SPDX-License-Identifier: Apache-2.0
"""The compiler's own IR: values, blocks, functions, memories, and what can be known of them.

May import `contract`. Start reading at `graph`, which says what the IR is; `text` prints and reads
it, `verify` checks it, `interpret` runs it. Analyses that several stages ask are here, too.
"""

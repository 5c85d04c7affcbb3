# SPDX-License-Identifier: Apache-2.0
"""C and C++ to optimised LLVM IR, with directives attached to what they speak of.

May import `contract`. Start reading at `program.build`, which runs clang and LLVM; `llvm_parser`
reads what they leave into the plain data of `llvm_ast`.
"""

# SPDX-License-Identifier: Apache-2.0
"""Tables and pages out of records. The only reader of results.

May import `base` to `search`. Start reading at `bench`, which computes; `text` only draws. A study
that wants a page builds a value of `page`; `html`, `latex` and `figures` draw any.
"""

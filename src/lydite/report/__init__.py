# SPDX-License-Identifier: Apache-2.0
"""Tables out of records. The only reader of results.

May import `base` to `search`. Start reading at `bench`, which computes; `text` only draws.
"""

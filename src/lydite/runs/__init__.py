# SPDX-License-Identifier: Apache-2.0
"""Evaluate points once and keep them for ever: jobs, plans, their execution, records, the store.

May import `base` to `sim`. Start reading at `plan`, then `execute`.
"""

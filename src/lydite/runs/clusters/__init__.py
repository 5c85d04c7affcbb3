# SPDX-License-Identifier: Apache-2.0
"""Jobs on workers of dask.distributed, here or on other machines.

May import `processors`, and what stands beside the rooms. Start reading at `cluster`, then
`worker`.
"""

# SPDX-License-Identifier: Apache-2.0
"""Software on this machine's processors: compiled, loaded, proven, measured.

May import what stands beside the rooms. Start reading at `software`, the job, then `measuring`,
the process that it starts.
"""

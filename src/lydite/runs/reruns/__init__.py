# SPDX-License-Identifier: Apache-2.0
"""Runs made again from what they left: scripts, bundles, and where results differ.

May import `kinds` and `processors`, and what stands beside the rooms but `again`, which starts
here. Start reading at `replay`; `bundle` and `replica` are for the runs of others.
"""

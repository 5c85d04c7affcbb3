# SPDX-License-Identifier: Apache-2.0
"""Boards on the desk: what is sent to them, and the search for their best clock.

May import what stands beside the rooms. The bitstreams are of `kinds.board`.
"""

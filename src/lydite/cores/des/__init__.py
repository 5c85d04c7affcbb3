# SPDX-License-Identifier: Apache-2.0
"""DES and Triple DES of FIPS 46-3, and the search for a key. Start reading at `spec`."""

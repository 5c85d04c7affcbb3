# SPDX-License-Identifier: Apache-2.0
"""Equal content has equal digests, different content different ones."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.base import digest

LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


def turned(value: object) -> object:
    """Give an equal value: mappings in the other order, tuples for lists."""
    if isinstance(value, Mapping):
        return MappingProxyType({key: turned(value[key]) for key in reversed(list(value))})
    if isinstance(value, list):
        return tuple(turned(item) for item in value)
    return value


@given(VALUES)
def test_order_of_keys_and_kind_of_sequence_do_not_matter(value: object) -> None:
    assert digest.of_value(value) == digest.of_value(turned(value))


@given(VALUES, VALUES)
def test_different_values_have_different_forms(one: object, other: object) -> None:
    # `repr` tells 1 from True, as JSON does and == does not.
    assert (digest.canonical(one) == digest.canonical(other)) == (
        sorted_text(one) == sorted_text(other)
    )


def sorted_text(value: object) -> str:
    if isinstance(value, dict):
        return repr(sorted((key, sorted_text(item)) for key, item in value.items()))
    if isinstance(value, list):
        return repr(["list", *(sorted_text(item) for item in value)])
    return repr(value)


def test_form_is_ascii_json_without_white_space() -> None:
    value = {"b": [1, None, True], "a": "\u00fc"}
    assert digest.canonical(value) == '{"a":"\\u00fc","b":[1,null,true]}'


def test_digest_is_the_sha256_of_the_form() -> None:
    assert digest.of_value([1]) == hashlib.sha256(b"[1]").hexdigest()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.5, "cannot digest float: only str, int, bool, None, sequences and mappings"),
        ([b"x"], "cannot digest bytes: only str, int, bool, None, sequences and mappings"),
        ({"a": {1}}, "cannot digest set: only str, int, bool, None, sequences and mappings"),
        (Path("x"), "cannot digest PosixPath: only str, int, bool, None, sequences and mappings"),
        ({1: "x"}, "cannot digest a mapping with key 1: keys are str"),
    ],
)
def test_what_has_no_one_form_is_refused(value: object, text: str) -> None:
    with pytest.raises(TypeError) as raised:
        digest.of_value(value)
    assert str(raised.value) == text


def test_digest_of_a_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(b"abc")
    assert digest.of_file(path) == digest.of_bytes(b"abc") == hashlib.sha256(b"abc").hexdigest()

# SPDX-License-Identifier: Apache-2.0
"""The page of a compilation: whole, the same each time, and safe whatever the C is named."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from lydite import hls
from lydite.report import hls_page

HOSTILE = """
// </script><b id="injected">
int f(int n) { int total = 0; for (int i = 0; i < 4; i++) total += n * i; return total; }
int main(void) { return f(2) != 12; }
"""


class _Tags(HTMLParser):
    """Counts opened and closed tags; notes ids."""

    def __init__(self) -> None:
        super().__init__()
        self.depth = 0
        self.ids: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        self.depth += 1


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> hls.Compiled:
    source = tmp_path_factory.mktemp("page") / "hostile.c"
    source.write_text(HOSTILE)
    return hls.compile(hls.Options(sources=(source,), top="f"))


def _page(compiled: hls.Compiled) -> str:
    sources = dict.fromkeys(hls_page.files_named(compiled), HOSTILE)
    return hls_page.page(compiled, None, None, sources, target="ecp5-25k")


def test_every_operation_of_the_schedule_is_drawn(compiled: hls.Compiled) -> None:
    page = _page(compiled)
    for timeline in compiled.timelines:
        assert timeline.function in page
        for op in timeline.ops:
            assert op.where.rpartition(":")[2] in page


def test_text_of_the_c_stays_text(compiled: hls.Compiled) -> None:
    page = _page(compiled)
    tags = _Tags()
    tags.feed(page)
    assert "injected" not in tags.ids
    assert "&lt;/script&gt;" in page
    assert tags.depth > 10


def test_the_same_program_gives_the_same_page(compiled: hls.Compiled) -> None:
    assert _page(compiled) == _page(compiled)


def test_the_page_fetches_nothing(compiled: hls.Compiled) -> None:
    page = _page(compiled)
    assert "http://" not in page.replace("http://www.w3.org/", "")
    assert "https://" not in page

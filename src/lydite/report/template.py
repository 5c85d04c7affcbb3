# SPDX-License-Identifier: Apache-2.0
"""Pages out of the templates of this package: escaped, whole, and closed to the outside.

Style and script stand inside the page. Its own policy allows that script and no other, so that no
name of a user can become one.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

FOLDER = Path(__file__).parent / "templates"


def render(name: str, *, styles: tuple[str, ...], script: str, **values: Any) -> str:
    """Give a page.

    Parameters
    ----------
    name : str
        The template; it has `style`, `script` and `policy` beside the values.
    styles, script : str
        Files of the same folder.
    """
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    code = (FOLDER / script).read_text(encoding="ascii")
    style = "".join((FOLDER / each).read_text(encoding="ascii") for each in styles)
    assert "</" not in code + style, "the files stand inside elements"
    allowed = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
    policy = (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{allowed}'; "
        "base-uri 'none'; form-action 'none'"
    )
    return environment.get_template(name).render(
        style=Markup(style),  # ours, not the user's
        script=Markup(code),
        policy=policy,
        **values,
    )

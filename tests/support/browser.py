# SPDX-License-Identifier: Apache-2.0
"""Pages in a real browser: how wide they are, what they look like, what is printed.

A page is put into a frame of the width that is asked for, since a window has a least width; what a
script of ours finds in the frame stands in the document that the browser then gives.
"""

from __future__ import annotations

import html
import json
import re
import subprocess
from pathlib import Path
from typing import Any

import native

# No sandbox, for those who are root; nothing of the user's; no network is asked for.
_ALWAYS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--no-first-run",
    "--allow-file-access-from-files",
    "--virtual-time-budget=5000",
    "--timeout=60000",
)
_FRAME = """<!DOCTYPE html>
<body style="margin:0">
<iframe id="frame" src="{name}" style="border:0;width:{width}px;height:{height}px"></iframe>
<pre id="found"></pre>
<script>
const frame = document.getElementById("frame");
const wait = () => new Promise((done) => setTimeout(done, 50));
frame.addEventListener("load", async () => {{
  const view = frame.contentWindow, page = frame.contentDocument, root = page.documentElement;
  const found = await (async () => {{ {script} }})();
  document.getElementById("found").textContent = JSON.stringify(found);
}});
</script>
</body>
"""


class Browser:
    """Chromium without a window; each call is a process of its own.

    Parameters
    ----------
    folder : Path
        For its profile and for what it is given.
    """

    def __init__(self, folder: Path) -> None:
        self._program = native.program("chromium")
        self._folder = folder

    def _run(self, *options: str) -> str:
        profile = f"--user-data-dir={self._folder / 'profile'}"
        argv = [self._program, *_ALWAYS, profile, *options]
        run = subprocess.run(argv, capture_output=True, text=True, timeout=300)
        assert run.returncode == 0, run.stderr
        return run.stdout

    def _frame(self, page: Path, width: int, height: int, script: str) -> str:
        path = page.parent / f"frame-{page.name}"
        text = _FRAME.format(name=page.name, width=width, height=height, script=script)
        path.write_text(text, encoding="utf-8")
        return path.as_uri()

    def ask(self, page: Path, script: str, *, width: int, dark: bool = False) -> Any:
        """Give what a script returns that has `page`, its `root` and its `view`."""
        address = self._frame(page, width, 900, script)
        options = ["--force-dark-mode"] if dark else []
        text = self._run(*options, "--dump-dom", address)
        found = re.search(r'<pre id="found">(.*?)</pre>', text, re.DOTALL)
        assert found and found[1], text
        return json.loads(html.unescape(found[1]))

    def picture(self, page: Path, picture: Path, *, width: int, dark: bool = False) -> bytes:
        """Write a picture of a page as PNG, as high as the page, and give its bytes."""
        height = self.ask(page, "return root.scrollHeight;", width=width)
        address = self._frame(page, width, height, "return 0;")
        options = ["--force-dark-mode"] if dark else []
        size = f"--window-size={max(width, 500)},{height}"
        self._run(*options, size, f"--screenshot={picture}", address)
        return picture.read_bytes()

    def printed(self, page: Path, file: Path) -> bytes:
        """Print a page to a PDF and give its bytes."""
        self._run(f"--print-to-pdf={file}", "--no-pdf-header-footer", page.as_uri())
        return file.read_bytes()

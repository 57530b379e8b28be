"""Pages as a browser shows them: their scripts run, and what is there then, as HTML.

    with Browser() as browser:
        dom = browser.render("<p id=x></p><script>x.textContent = 'shown'</script>")

One Chromium for all pages, which is told by a pipe what to do (the Chrome DevTools Protocol; no package is needed).
Pages get nothing from the network.
"""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")


def program():
    """The browser that is installed, or None."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


class Browser:
    def __init__(self):
        self._folder = tempfile.TemporaryDirectory(prefix="twinset-browser-")
        read_commands, self._commands = os.pipe()
        self._answers, write_answers = os.pipe()
        self._profile = pathlib.Path(self._folder.name) / "profile"
        self._page = pathlib.Path(self._folder.name) / "page.html"
        # It reads from descriptor 3 and writes to 4.
        script = f'exec 3<&{read_commands} 4>&{write_answers}; exec "$@"'
        self._process = subprocess.Popen(
            ["bash", "-c", script, "-", program(), "--headless=new", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--user-data-dir={self._profile}",
             "--host-resolver-rules=MAP * ~NOTFOUND", "--no-first-run", "--disable-extensions",
             "--disable-background-networking", "about:blank"],
            pass_fds=(read_commands, write_answers), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(read_commands)
        os.close(write_answers)
        self._buffer = b""
        self._next = 0
        self._session = None
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._call("Page.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        os.close(self._commands)
        os.close(self._answers)
        self._folder.cleanup()

    def _message(self):
        while b"\0" not in self._buffer:
            more = os.read(self._answers, 1 << 20)
            if not more:
                raise RuntimeError("the browser ended")
            self._buffer += more
        message, _, self._buffer = self._buffer.partition(b"\0")
        return json.loads(message)

    def _call(self, method, until=None, **parameters):
        """Sends a command; returns its result once it is there, and, if asked, an event after it."""
        self._next += 1
        command = {"id": self._next, "method": method, "params": parameters}
        if self._session:
            command["sessionId"] = self._session
        os.write(self._commands, json.dumps(command).encode() + b"\0")
        result = None
        while result is None or until:
            message = self._message()
            if message.get("id") == self._next:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                result = message["result"]
            elif until and message.get("method") == until:
                until = None
        return result

    def render(self, html):
        """What the browser has of a page once it is loaded and its scripts have run."""
        self._page.write_text(html, encoding="utf-8")
        self._call("Page.navigate", until="Page.loadEventFired", url=self._page.as_uri())
        shown = self._call("Runtime.evaluate", expression="document.documentElement.outerHTML", returnByValue=True)
        return shown["result"]["value"]

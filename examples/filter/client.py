"""Asks a `twinset filter --listen SOCKET`: one line of JSON there, one back.

    client = Client("/run/twinset/filter.sock")
    answer = client.ask(op="check", text="...")
    if answer["verdict"] == "match": ...

Connections are kept, and made anew when the filter was started again: every request may be repeated,
since a check changes nothing, and an add or remove of the same id twice is the same as once. A filter
that does not answer within `patience` seconds is a FilterError: say then what your program does without.

Threads: one client for all; each request has a connection of its own meanwhile. Standard library only.
"""

import json
import socket
import time


class FilterError(Exception):
    """The filter did not answer, or refused the request."""


class Client:
    def __init__(self, path, patience=2.0):
        self._path, self._patience = path, patience
        self._idle = []  # list.append() and list.pop() are atomic

    def ask(self, **request):
        """The answer to {"op": ..., ...} as a dict."""
        line = json.dumps(request).encode() + b"\n"
        ends, pause = time.monotonic() + self._patience, .02
        while True:
            try:
                answer = self._once(line, ends)
                break
            except (OSError, EOFError) as error:
                if time.monotonic() + pause >= ends:
                    raise FilterError(f"{self._path}: {error or 'closed'}") from error
            time.sleep(pause)
            pause *= 2
        if not answer.pop("ok", False):
            raise FilterError(answer.get("error", "refused"))
        return answer

    def _once(self, line, ends):
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = self._connected(ends)
        try:
            connection.settimeout(max(.01, ends - time.monotonic()))
            connection.sendall(line)
            answer = bytearray()
            while not answer.endswith(b"\n"):
                part = connection.recv(65536)
                if not part:
                    raise EOFError
                answer += part
        except BaseException:
            connection.close()  # an answer that comes late must not meet the next request
            raise
        self._idle.append(connection)
        return json.loads(answer)

    def _connected(self, ends):
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.settimeout(max(.01, ends - time.monotonic()))
            connection.connect(self._path)
        except OSError:
            connection.close()
            raise
        return connection

#!/usr/bin/env python3
"""The backend of a forum or chat, which asks `twinset filter` about each post.

    twinset filter --set abuse.index --listen filter.sock --expire-unused 90
    examples/filter/forum.py --filter filter.sock --port 8080

    curl localhost:8080/posts -d '{"text": "..."}'                 # {"id": 1, "state": "shown"}
    curl localhost:8080/reports -d '{"post": 1}'                   # a moderator takes it away
    curl localhost:8080/posts -d '{"text": "... nearly the same"}' # {"id": 2, "state": "held", "like": "post 1"}
    curl -X DELETE localhost:8080/reports/1                        # ... or gives it back

A post that is like one that a moderator took away is held; whoever posted it waits for a moderator. Posts
that the filter cannot tell are shown, and those that it did not see since it did not answer are shown and
marked as unchecked. A report is acknowledged when the filter has it on its disk. Posts are in memory: this
shows the calls, and a real backend keeps posts in its database. Standard library only.
"""

import argparse
import http.server
import json
import re
import threading

from client import Client, FilterError

MOST_BYTES = 1 << 16


class Forum:
    def __init__(self, client):
        self.client, self.posts, self.lock = client, {}, threading.Lock()

    def post(self, text):
        try:
            answer = self.client.ask(op="check", text=text)
            state = {"state": "held", "like": answer["prototype"]} if answer["verdict"] == "match" else {
                "state": "shown"}
        except FilterError:
            state = {"state": "shown", "unchecked": True}
        with self.lock:
            number = len(self.posts) + 1
            self.posts[number] = {"text": text, **state}
        return 201, {"id": number, **state}

    def report(self, number):
        """A moderator takes a post away: others like it are held from now on."""
        if number not in self.posts:
            return 404, {"error": "no such post"}
        self.client.ask(op="add", id=f"post {number}", text=self.posts[number]["text"])
        self.posts[number]["state"] = "removed"
        return 200, {"id": number, "state": "removed"}

    def pardon(self, number):
        if number not in self.posts:
            return 404, {"error": "no such post"}
        self.client.ask(op="remove", id=f"post {number}")
        self.posts[number]["state"] = "shown"
        return 200, {"id": number, "state": "shown"}


class Requests(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        size = int(self.headers.get("Content-Length", 0))
        if size > MOST_BYTES:
            self.close_connection = True
            return self.answer(413, {"error": f"at most {MOST_BYTES} bytes"})
        try:
            body = json.loads(self.rfile.read(size))
            if self.path == "/posts":
                return self.answer(*self.server.forum.post(str(body["text"])))
            if self.path == "/reports":
                return self.answer(*self.server.forum.report(int(body["post"])))
        except FilterError as error:
            return self.answer(503, {"error": str(error)})
        except (ValueError, KeyError, TypeError):
            return self.answer(400, {"error": "expected {\"text\": ...} or {\"post\": number}"})
        return self.answer(404, {"error": "no such page"})

    def do_DELETE(self):
        found = re.fullmatch(r"/reports/(\d+)", self.path)
        try:
            self.answer(*self.server.forum.pardon(int(found[1])) if found else (404, {"error": "no such page"}))
        except FilterError as error:
            self.answer(503, {"error": str(error)})

    def answer(self, status, body):
        data = json.dumps(body).encode() + b"\n"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *arguments):
        pass


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--filter", required=True, help="the socket of twinset filter")
    parser.add_argument("--port", type=int, default=8080, help="0: any that is free")
    options = parser.parse_args()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), Requests)
    server.forum = Forum(Client(options.filter))
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()

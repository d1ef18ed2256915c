"""A proxy in front of a service, with a fault: faulty.py PORT UPSTREAM FAULT. `/-/requests` tells how many requests there were; the fault `none` changes nothing.

The faults are of lists, whose records stand at the top of the answer or under `items`, and of what is created and deleted."""

import json
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

UPSTREAM, FAULT = sys.argv[2], sys.argv[3]
FILTERS = {"category", "userId"}
LIMITS = {"limit", "size", "_limit"}
SEARCHES = {"q"}
cache, count, requests, lock = {}, 0, 0, threading.Lock()


def records(answer):
    return answer.get("items") if isinstance(answer, dict) else answer if isinstance(answer, list) else None


def asked(query):
    """The query that goes to the service."""
    if FAULT == "dropped filter":
        return [(k, v) for k, v in query if k not in FILTERS]
    if FAULT == "wrong page size":
        return [(k, str(max(1, int(v) - 1)) if k in LIMITS and v.isdigit() and int(v) < 50 else v) for k, v in query]
    return query


def spoilt(query, answer):
    """The answer that goes back."""
    global count
    found = records(answer)
    if not found or not isinstance(found[0], dict):
        return answer
    count += 1
    if FAULT == "unstable order" and count % 2:
        found[0], found[-1] = found[-1], found[0]
    if FAULT == "duplicated record" and len(found) > 2:
        found.insert(1, found[0])
    if FAULT == "off-by-one total" and isinstance(answer, dict) and len(query) > 1:
        answer["total"] += 1
    if FAULT == "case-sensitive search":
        for key, value in query:
            if key in SEARCHES:
                found[:] = [one for one in found if value in json.dumps(one)]
                if isinstance(answer, dict):
                    answer["total"] = len(found)
    return answer


class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # An answer goes out at once. In two parts it waits 40 ms for the acknowledgement of the first.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_GET(self):
        global requests
        if self.path == "/-/requests":
            return self.give(200, str(requests).encode())
        requests += 1
        path, _, query = self.path.partition("?")
        query = urllib.parse.parse_qsl(query, keep_blank_values=True)
        # A stale cache takes no notice of pages and sorting: what came first is given again.
        key = (path, tuple(sorted((k, v) for k, v in query if k in FILTERS | SEARCHES)))
        with lock:
            if FAULT == "stale cache" and key in cache:
                return self.give(*cache[key])
            address = UPSTREAM + path + "?" + urllib.parse.urlencode(asked(query))
            try:
                with urllib.request.urlopen(address) as answer:
                    status, body = answer.status, answer.read()
            except urllib.error.HTTPError as error:
                status, body = error.code, error.read()
            if status == 200:
                try:
                    body = json.dumps(spoilt(query, json.loads(body))).encode()
                except ValueError:
                    pass
                cache[key] = (status, body)
        self.give(status, body)

    def do_POST(self):
        """Creates, unless the fault loses it. Whatever the path, a request without a body passes: it is a reset."""
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        if FAULT == "lost record" and body:
            return self.give(201, json.dumps({"id": 41, **json.loads(body)}).encode())
        if FAULT == "changed record" and body:
            sent = json.loads(body)
            body = json.dumps({**sent, "price": round(sent["price"])}).encode() if sent.get("price", 0) > 1 else body
        self.pass_on("POST", self.path, body)

    def do_DELETE(self):
        """Deletes, or what the fault has it delete."""
        parent, _, record = self.path.rpartition("/")
        if FAULT == "nothing deleted":
            return self.give(204, b"")
        if FAULT == "another deleted":
            return self.pass_on("DELETE", f"{parent}/{max(1, int(record) - 1)}", None)
        self.pass_on("DELETE", self.path, None)

    def pass_on(self, method, path, body):
        global requests
        requests += 1
        request = urllib.request.Request(UPSTREAM + path, data=body, method=method)
        request.add_header("content-type", "application/json")
        try:
            with urllib.request.urlopen(request) as answer:
                status, body = answer.status, answer.read()
        except urllib.error.HTTPError as error:
            status, body = error.code, error.read()
        self.give(status, body)

    def give(self, status, body):
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Proxy).serve_forever()

"""A service that doubles numbers, writes each request into requests.log in its folder, and ends after a number of requests: counted.py PORT MOST."""

import json
import os
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import parse_qs, urlsplit

MOST = int(sys.argv[2])


class Doubled(BaseHTTPRequestHandler):
    count = 0

    def do_GET(self):
        Doubled.count += 1
        if Doubled.count > MOST:
            os._exit(1)
        with open("requests.log", "a") as log:
            log.write(self.path + "\n")
        x = float(parse_qs(urlsplit(self.path).query)["x"][0])
        body = json.dumps({"y": 2 * x}).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


HTTPServer(("127.0.0.1", int(sys.argv[1])), Doubled).serve_forever()

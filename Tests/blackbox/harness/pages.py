"""Serves the checkout's web/ folder from an origin of its own, as an app's web server would."""

import contextlib
import functools
import http.server
import threading

from . import places


class _Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/":
            # A page with nothing on it, for scripts that a test runs.
            body = b"<!doctype html><title>Test</title>"
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            return self.wfile.write(body)
        super().do_GET()

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def serve():
    """The origin it is served from."""
    handler = functools.partial(_Handler, directory=places.CHECKOUT / "web")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()
        thread.join(5)

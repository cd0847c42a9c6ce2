#!/usr/bin/env python3
"""webhook-receiver.py: prints the gateway's events, and refuses requests that it has not signed.

WEBHOOK_SECRET is what came with the first callback_url; PORT is 9000 unless it says otherwise:
  curl -X PATCH $GATEWAY/v1/agent/me -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \
       -d '{"callback_url":"https://agent.example/webhooks"}'
"""
import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY = 1 << 20
TOLERANCE_S = 300  # older deliveries may be an attacker's recordings


def is_signed(secret, headers, body):
    """Whether one of the signatures is over these very bytes. There are two for a day after a new secret."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    sent = headers.get("webhook-timestamp", "")
    if not sent.isdigit() or abs(time.time() - int(sent)) > TOLERANCE_S:
        return False
    signed = f"{headers.get('webhook-id', '')}.{sent}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    offered = headers.get("webhook-signature", "").split()
    return any([hmac.compare_digest(f"v1,{expected}".encode(), each.encode()) for each in offered])


class Receiver(BaseHTTPRequestHandler):
    secret = ""
    seen = set()  # keep these ids where you keep your books: an event may come more than once

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not length.isdigit() or int(length) > MAX_BODY:
            return self.answer(413)
        body = self.rfile.read(int(length))
        if not is_signed(self.secret, self.headers, body):
            print("refused: not signed with this secret", flush=True)
            return self.answer(401)
        self.take(self.headers["webhook-id"], json.loads(body))
        return self.answer(204)

    def take(self, event_id, event):
        if event_id in self.seen:
            return
        self.seen.add(event_id)
        print(f"verified: {event['type']} {json.dumps(event['data'])}", flush=True)

    def answer(self, status):
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    if not os.environ.get("WEBHOOK_SECRET"):
        sys.exit("webhook-receiver.py: WEBHOOK_SECRET is missing")
    Receiver.secret = os.environ["WEBHOOK_SECRET"]
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass

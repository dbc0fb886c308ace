"""PyPI's Stripe client and an imported Stripe send the same ten calls: method, target and body. TOOL is the program with `stripe` in it."""
import http.server
import json
import os
import subprocess
import sys
import threading
import urllib.parse

import stripe

TOOL = os.environ["TOOL"]
requests = []


class Recorder(http.server.BaseHTTPRequestHandler):
    def record(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        path, _, query = self.path.partition("?")
        pairs = [sorted(urllib.parse.parse_qsl(text, keep_blank_values=True)) for text in (query, body)]
        requests.append((self.command, path, *pairs))
        text = b'{"object": "list", "data": [], "id": "x"}'
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_DELETE = record

    def log_message(self, *words):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Recorder)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = "http://127.0.0.1:%d" % server.server_port
stripe.api_key, stripe.api_base = "sk_test_1", url
CUSTOMER = {"name": "Ann B & Co", "email": "a+b@example.com", "metadata": {"order id": "6/7"}, "address": {"city": "Köln", "line1": "1"}}
PRICE = {"currency": "eur", "unit_amount": 500, "product_data": {"name": "Tea"}, "recurring": {"interval": "month", "interval_count": 2}}
SESSION = {
    "mode": "payment", "success_url": "https://example.com/?id={CHECKOUT_SESSION_ID}", "cancel_url": "https://example.com/",
    "line_items": [
        {"price": "price_1", "quantity": 2},
        {"price_data": {"currency": "eur", "unit_amount": 700, "product_data": {"name": "a=b", "images": ["https://i/1", "https://i/2"]}}}],
}
SUBSCRIPTION = {"customer": "cus_1", "items": [{"price": "price_1"}, {"price": "price_2", "quantity": 3}], "expand": ["latest_invoice", "customer"]}
REFUND = {"charge": "ch_1", "amount": 5, "reason": "requested_by_customer"}
CHARGE = {"amount": 100, "currency": "eur", "customer": "cus_1", "description": "50 % off"}
CALLS = [
    (lambda: stripe.Customer.create(**CUSTOMER), ["stripe.customers.create", json.dumps(CUSTOMER)]),
    (lambda: stripe.Customer.retrieve("cus_1/x", expand=["sources", "tax"]),
     ["stripe.customers.get", "--customer=cus_1/x", "--expand=sources", "--expand=tax"]),
    (lambda: stripe.Customer.modify("cus_1", description="d"), ["stripe.customers.update", "--customer=cus_1", '{"description": "d"}']),
    (lambda: stripe.Customer.list(limit=3, created={"gte": 5, "lt": 9}, email="a+b@example.com"),
     ["stripe.customers.list", "--limit=3", '--created={"gte": 5, "lt": 9}', "--email=a+b@example.com"]),
    (lambda: stripe.Customer.delete("cus_1"), ["stripe.customers.delete", "--customer=cus_1"]),
    (lambda: stripe.Charge.create(**CHARGE), ["stripe.charges.create", json.dumps(CHARGE)]),
    (lambda: stripe.Refund.create(**REFUND), ["stripe.refunds.create", json.dumps(REFUND)]),
    (lambda: stripe.Price.create(**PRICE), ["stripe.prices.create", json.dumps(PRICE)]),
    (lambda: stripe.checkout.Session.create(**SESSION), ["stripe.checkout.create-session", json.dumps(SESSION)]),
    (lambda: stripe.Subscription.create(**SUBSCRIPTION), ["stripe.subscriptions.create", json.dumps(SUBSCRIPTION)]),
]
failed = 0
for send, words in CALLS:
    requests.clear()
    send()
    environment = {**os.environ, "STRIPE_TOKEN": "sk_test_1", "STRIPE_USER": "sk_test_1", "STRIPE_PASSWORD": ""}
    done = subprocess.run([TOOL, "call", *words, "--raw", "--base-url", url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    if len(requests) != 2 or requests[0] != requests[1]:
        failed += 1
        print("not ok: %s\n  client: %s\n  call:   %s\n  %s" % (words, requests[0], requests[1:], done.stderr))
print("%d calls of Stripe's client, %d differ" % (len(CALLS), failed))
sys.exit(bool(failed))

# SPDX-License-Identifier: Apache-2.0
"""From a notification of the App Store to the line of a phone's open stream, which says what the person may use: on the node that took the
notification and, with a PostgreSQL, on another one."""
import base64, contextlib, http.client, http.server, json, queue, statistics, sys, threading, time

from databases import MeasuredPostgres
from items import row
from measuring import API, SECRET, install, listening, node, say
import nodes

OPENING = '{"adToken":"coming","placements":[{"id":"onboarding"}],"holdMilliseconds":20000}'


def selling(yaml):
    return yaml.replace("\nproducts:\n", "\nproducts:\n  \"sim.*\": { access: [premium] }\n", 1)


class Posted(http.server.BaseHTTPRequestHandler):
    """Takes what the simulated App Store posts, instead of the server: it is posted on when the clock runs."""
    protocol_version = "HTTP/1.1"
    bodies = queue.Queue()

    def do_POST(self):
        self.bodies.put(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


class Shop:
    """A simulated App Store whose purchases last longer than the run."""

    def __init__(self, port):
        self.port = port

    def notification(self, token):
        """Of a new purchase with that token: the body that Apple would post."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        order = {"productId": "sim.yearly&period=1y&renewals=0", "appAccountToken": token, "storefront": "USA", "priceMilliunits": 9990, "currency": "USD"}
        connection.request("POST", "/sim/purchases", json.dumps(order), {"Content-Type": "application/json"})
        transaction = json.loads(connection.getresponse().read())["transactionId"]
        connection.close()
        while True:
            body = Posted.bodies.get(timeout=10)
            inner = claims(claims(json.loads(body)["signedPayload"])["data"]["signedTransactionInfo"])
            if inner["transactionId"] == transaction:
                return body


def claims(jws):
    return json.loads(base64.urlsafe_b64decode(jws.split(".")[1] + "=="))


@contextlib.contextmanager
def shop(binary, root):
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Posted) as receiver:
        threading.Thread(target=receiver.serve_forever, daemon=True).start()
        command = [binary, "app-store-simulator", "--port", "0", "--notify", f"http://127.0.0.1:{receiver.server_port}/", "--root-out", root]
        try:
            with listening(command) as (port, _):
                yield Shop(port)
        finally:
            receiver.shutdown()


def heard(ports, seller, tries, first):
    """Milliseconds from sending a notification to the first node, to the line with the access: of streams on each node."""
    took = [[] for _ in ports]
    for number in range(tries * len(ports)):
        which, device = number % len(ports), first + number
        stream = http.client.HTTPConnection("127.0.0.1", ports[which], timeout=30)
        stream.request("POST", "/v1/first-open", OPENING, {"Authorization": "Bearer pk_demo", "Landfall-Profile": f"{install(device)}.{SECRET}", "Host": API})
        answer = stream.getresponse()
        token = None
        while not token:
            line = answer.readline() or sys.exit("A stream ended without a token for purchases.")
            token = json.loads(line).get("profile", {}).get("purchaseToken")
        body = seller.notification(token)
        notice = http.client.HTTPConnection("127.0.0.1", ports[0], timeout=30)
        notice.connect()
        begin = time.monotonic()
        notice.request("POST", "/v1/app-store/notifications", body, {"Content-Type": "application/json", "Host": API})
        while b'"premium"' not in (line := answer.readline()):
            line or sys.exit("A stream ended without the access.")
        took[which].append((time.monotonic() - begin) * 1e3)
        if (status := notice.getresponse().status) != 200:
            sys.exit(f"A notification was answered {status}.")
        notice.close()
        stream.close()
    return took


def items(name, took):
    return [row(f"purchases: p{share} from a notification to the line of a stream, {name}", "ms", "lower",
                statistics.quantiles(took, n=100, method="inclusive")[share - 1], len(took), slowestMilliseconds=max(took)) for share in (50, 99)]


def hearing(work, options):
    root = work / "root.pem"
    with shop(options.binary, root) as seller:
        trusting = ["--app-store-root", root]
        with node(work / "hearing", options.binary, trusting, selling) as (port, _):
            heard([port], seller, 20, 1 << 20)
            found = items("embedded store", heard([port], seller, options.tries, 2 << 20)[0])
        say("  purchases: the embedded store is measured")
        with MeasuredPostgres() as server, contextlib.ExitStack() as stack:
            url = server.database("landfall")
            ports = [stack.enter_context(nodes.node(options.binary, url, change=selling, folder=work / f"hearing-{number}", options=trusting))[0]
                     for number in range(2)]
            heard(ports, seller, 20, 3 << 20)
            same, other = heard(ports, seller, options.tries, 4 << 20)
        return found + items("PostgreSQL, the same node", same) + items("PostgreSQL, another node", other)

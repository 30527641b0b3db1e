# SPDX-License-Identifier: Apache-2.0
"""The App Store's notifications come twice, late, byte by byte, forged, or their answers are lost: each that was answered with 200 is stored
once, and no forged one ever."""
import base64, collections, contextlib, http.client, http.server, json, random, socket, sys, threading, time

from alone import Alone
from ending import ends_with_us, until
from fault import fault, row
from server import Landfall, ask, free_ports

PATH = "/v1/app-store/notifications"
# What happens to one post: how often of ten.
WAYS = {"plain": 3, "twice": 2, "unanswered": 2, "hanging": 1, "slow": 1, "forged": 1}
PURCHASES = 40


def identity(body):
    payload = json.loads(body)["signedPayload"].split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["notificationUUID"]


def forged(body, dice):
    """Another content under the same signature, or another signature: with an identity of its own."""
    header, payload, signature = json.loads(body)["signedPayload"].split(".")
    content = json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
    content["notificationUUID"] = f"f0f0f0f0-{dice.getrandbits(16):04x}-4000-8000-{dice.getrandbits(48):012x}"
    payload = base64.urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")
    header = dice.choice((header, header, base64.urlsafe_b64encode(b'{"alg":"none"}').decode().rstrip("=")))
    return json.dumps({"signedPayload": ".".join((header, payload, dice.choice((signature, signature[::-1], ""))))}).encode()


class Between(http.server.ThreadingHTTPServer):
    """Takes the App Store's posts and passes them on as chance has it."""
    daemon_threads, request_queue_size = True, 128

    def __init__(self, target, dice):
        super().__init__(("127.0.0.1", 0), Post)
        self.target, self.dice, self.lock = target, dice, threading.Lock()
        self.accepted, self.ways, self.causes = {}, collections.Counter(), []

    def __enter__(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()

    def deliver(self, body):
        """The server's status; nil if it does not answer."""
        try:
            status = ask(self.target, PATH, body, {"Content-Type": "application/json"}, seconds=10).status
        except (OSError, http.client.HTTPException):
            return None
        with self.lock:
            if status == 200:
                self.accepted.setdefault(identity(body), time.monotonic())
            elif status not in (502, 503):
                self.causes.append(f"a notification of the App Store is answered with {status}")
        return status

    def forge(self, body):
        with contextlib.suppress(OSError, http.client.HTTPException):
            if (status := ask(self.target, PATH, forged(body, self.dice), {"Content-Type": "application/json"}).status) != 400:
                self.causes.append(f"a forged notification is answered with {status}")

    def drip(self, body, whole):
        """Byte by byte; or it never comes to its end."""
        head = f"POST {PATH} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.target), timeout=10) as connection:
            data = head + body
            for at in range(0, len(data) if whole else len(data) // 2, 16):
                connection.sendall(data[at:at + 16])
                time.sleep(0.002)
            if whole and connection.recv(12) == b"HTTP/1.1 200":
                with self.lock:
                    self.accepted.setdefault(identity(body), time.monotonic())
                return 200
        return None


class Post(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body, between = self.rfile.read(int(self.headers["Content-Length"])), self.server
        with between.lock:
            way = between.dice.choices(list(WAYS), list(WAYS.values()))[0]
            between.ways[way] += 1
        if way == "forged":
            between.forge(body)
        status = between.drip(body, way == "slow") if way in ("slow", "hanging") else between.deliver(body)
        if way == "twice":
            status = between.deliver(body)
        if way == "unanswered" or status is None:
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


@fault("app-store", "the App Store's notifications come twice, byte by byte, half or forged, their answers are lost, and the server is killed thrice", "sqlite", own=True)
def trouble(fault, options, seed, folder):
    dice, (store, port) = random.Random(seed), free_ports(2)
    root = folder / "root.pem"
    folder.mkdir(parents=True, exist_ok=True)
    stage = Alone(folder / "run", seed, 0, held=0, options=["--app-store-root", str(root)], at=port)
    with Between(port, dice) as between, Landfall(
            folder / "store", "app-store-simulator", "--port", str(store), "--notify", f"http://127.0.0.1:{between.server_address[1]}{PATH}",
            "--root-out", root, "--day", "0.2", "--seed", str(seed), limit=ends_with_us) as simulator:
        if not simulator.listens():
            raise simulator.failure("The App Store does not listen")
        with stage:
            for number in range(PURCHASES):
                purchase = {"productId": f"sim.period=7d&renewals=2&id={number}", "storefront": "USA", "priceMilliunits": 9990, "currency": "USD"}
                ask(store, "/sim/purchases", purchase)
            for _ in range(3):
                time.sleep(dice.uniform(1, 3))
                stage.kill()
                time.sleep(0.5)
                stage.start()
            time.sleep(4 if options.quick else 20)
            stored = lambda: dict(stage.store.rows("SELECT lower(notification_uuid), count(*) FROM app_store_notification GROUP BY 1"))
            known = set(between.accepted)
            there = stored()
            waiting = "SELECT count(*) FROM app_store_notification WHERE processed_at_ms IS NULL"
            with contextlib.suppress(RuntimeError):
                until(lambda: stage.store.rows(waiting) == [["0"]], 20, "Every notification is processed")
            causes = between.causes[:5]
            if (left := stage.store.rows(waiting)) != [["0"]]:
                causes.append(f"{left[0][0]} notifications are stored and not processed")
            if false := [each for each in stored() if each.startswith("f0f0f0f0")]:
                causes.append(f"{len(false)} forged notifications are stored")
            if damages := stage.store.damages():
                causes.append(f"the store is damaged: {damages[0]}")
    lost = [each for each in known if each.lower() not in there]
    doubled = [each for each, count in there.items() if count != "1"]
    causes += [f"lost: notification {each}" for each in lost[:5]] + [f"doubled: notification {each}" for each in doubled[:5]]
    print(f"   posts by what happened to them: {dict(between.ways)}", file=sys.stderr)
    return row(fault, seed, acknowledged=len(known), lost=len(lost), doubled=len(doubled), causes=causes)

# SPDX-License-Identifier: Apache-2.0
"""Hostile requests of phones, browsers, backends, App Stores and members: request NUMBER of a seed is always the same.

Each of them is one request for every reader; script/check smuggling has the others. What it asks for exists, or is somebody else's.
"""
import random, urllib.parse, uuid

from strangers import values

API, BRAND = "api.example.com", "brandname.go.link"
# Of somebody else: strangers know these names, and nothing that the server keeps about them.
KNOWN_INSTALL, KNOWN_CUSTOMER, KNOWN_PATH = "0198f0c2-7b1a-7c3d-8e4f-00000000abcd", "kate@example.com", "summer-clothes"
ROLES = ["owner", "editor", "viewer"]

EVENT = {"id": "0198f0c3-7b1a-7c3d-8e4f-000000000001", "type": "paywall_shown", "ageMilliseconds": 5, "placement": "onboarding", "paywall": "default", "properties": {"plan": "a"}, "value": 9.5}
DEVICE = {"platform": "ios", "appVersion": "1.2.3", "osVersion": "18.1", "locale": "en_GB", "timeZone": "Europe/Berlin", "model": "iPhone17,1", "storeCountry": "GBR"}
FIRST_OPEN = {"device": DEVICE, "adToken": {"none": "noToken"}, "attributes": {"plan": "a"}, "links": [{"key": "k1", "url": f"https://{BRAND}/beach?lf_t=abc", "ageMilliseconds": 3}],
              "placements": [{"id": "onboarding", "locale": "en"}], "collection": "full", "holdMilliseconds": 0}
PHONE = {  # what a phone posts, by its path
    "/v1/first-open": FIRST_OPEN, "/v1/events": {"events": [EVENT, {**EVENT, "id": "0198f0c3-7b1a-7c3d-8e4f-000000000002", "type": "trial_started"}]},
    "/v1/profiles/me/attributes": {"key": "a1", "attributes": {"plan": "pro", "custom.a": 1, "custom.b": None}},
    "/v1/profiles/me/ad-token": {"none": "unsupported"}, "/v1/attribution": {"source": "other", "status": "non_organic", "campaign": "c", "ageMilliseconds": 4},
    "/v1/links/open": {"url": f"https://{BRAND}/beach?lf_t=abc", "key": "l1", "recordsClick": True}, "/v1/links/deferred": {"token": "ABCD-EFGH-JKMN"},
    "/v1/logout": {"key": "o1"},
}
BACKEND = {  # what a backend posts
    "/v1/links": {"links": [{"to": "https://example.com/a", "suffix": "s", "campaign": "c", "label": "l", "ios": ["app", "store"], "preview": {"title": "t"}, "expires": "2027-01-01"}]},
    "/v1/access/grants": {"customerId": KNOWN_CUSTOMER, "level": "pro", "until": "2030-01-01T00:00:00Z"}, "/v1/configuration/rollback": {"version": 999_999},
}
READ = [  # what a backend reads
    "/v1/links", f"/v1/links/{BRAND}/beach", "/v1/configuration", "/v1/configuration/versions", "/v1/configuration/versions/1", "/v1/configuration/fallback", "/v1/reports/campaigns",
    "/v1/reports/placements", "/v1/reports/revenue", "/v1/experiments", "/v1/experiments/x/results", "/v1/experiments/x/numbers", "/v1/experiments/x/units", "/v1/explain", "/v1/webhooks", f"/v1/customers/{KNOWN_CUSTOMER}/access",
    "/v1/domains/allowed", "/v1/stream-trial",
]
SHOWN = ["/v1/placements/onboarding/paywall", "/v1/placements/nowhere/paywall", "/v1/profiles/me", "/healthz", "/readyz", "/metrics", "/.well-known/apple-app-site-association", "/console", "/"]
PAGES = [
    "", "/profiles", f"/profiles/i_{KNOWN_INSTALL}", f"/profiles/i_{KNOWN_INSTALL}.json", f"/profiles/i_{KNOWN_INSTALL}/why", f"/profiles/i_{KNOWN_INSTALL}/why.json", "/profiles.json", "/find", "/links", "/links/show", "/links/edit",
    "/links/new", "/links.csv", "/links.json", "/links/qr.png", "/links/qr.svg", "/links/import", "/reports", "/reports/campaigns", "/reports/campaigns.csv", "/reports/revenue", "/reports/revenue.json", "/experiments",
    "/experiments/x", "/experiments.csv", "/audiences", "/audiences/everyone", "/paywalls", "/paywalls/default", "/placements", "/placements/onboarding", "/new/paywall", "/new/audience", "/new/experiment", "/versions",
    "/versions/1", "/versions/0", "/versions/scheduled", "/versions.json", "/versions/draft", "/versions/fallback.json", "/webhooks", "/webhooks/x", "/webhooks/x/deliveries/y", "/settings/members", "/settings/audit", "/settings/audit.csv",
    "/settings/keys", "/live", "/health", "/help", "/help/links", "/api", "/api/links", "/account", "/confirm", "/sign-in", "/setup", "/join", "/assets/x.css",
]
# Forms that a member may send again and again: what they change is a draft, a check or a link.
FORMS = {
    "/links/import": ["text", "format", "action"], "/links/new": ["to", "suffix", "campaign", "label", "ios", "title", "channels", "domain", "code", "expires"], "/links/draft": ["to", "suffix"],
    "/links/edit": ["url", "to", "campaign", "version"], "/links/change": ["url", "action"], "/versions/draft/check": ["text", "base", "message"], "/paywalls/default": ["products", "key.0", "value.0", "type.0", "version"],
    "/audiences/everyone": ["attribute.0", "operation.0", "value.0", "group.0", "version"], "/placements/onboarding": ["audience.0", "paywall.0", "version"], "/new/audience": ["name", "attribute.0", "operation.0", "value.0"],
    "/new/paywall": ["name", "products"], "/new/experiment": ["name", "placement", "metric", "weight.0"], "/checklist": ["hidden"],
}
# Forms that nobody may send without the proof of a session.
GUARDED = [*FORMS, "/versions/draft/publish", "/versions/1/rollback", "/settings/members/invite", "/settings/members/x/remove", "/settings/members/x/role", f"/profiles/i_{KNOWN_INSTALL}/forget", "/links/remove", "/account/password", "/sign-out"]
AGENTS = [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1", "curl/8", "facebookexternalhit/1.1", "", "a" * 6_000, "\x80\xff", "iPhone" * 500,
    "Mozilla/5.0 (Linux; Android 14)", "(" * 900, "bot" * 900,
]


class Request:
    """`may` says whose data an answer may have: people's for members who see them."""

    def __init__(self, kind, method, path, fields, body=None, host=API, may=False, proven=True):
        self.kind, self.method, self.path, self.host, self.may, self.proven = kind, method, path, host, may, proven
        lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *[f"{name}: {value}" for name, value in fields]]
        if body is not None:
            lines.append(f"Content-Length: {len(body)}")
        self.bytes = ("\r\n".join(lines) + "\r\n\r\n").encode("latin1", "replace") + (body or b"")


class Strangers:
    """`world` has what the server gave to this run: `sessions` by role (cookie and proof), `server_key` and `configuration`."""

    def __init__(self, seed, world):
        self.seed, self.world = seed, world
        self.kinds = [kind for kind, weight in {
            self.phone: 30, self.link: 16, self.read: 8, self.page: 10, self.form: 8, self.unproven: 4, self.cookie: 4, self.table: 4, self.file: 5, self.token: 4, self.purchase: 4, self.field: 3,
        }.items() for _ in range(weight)]

    def request(self, number):
        dice = random.Random(f"{self.seed}/{number}")
        kind = dice.choice(self.kinds)
        return kind(dice)

    def address(self, dice):
        # Behind a trusted proxy, so that limits of one address do not end the run.
        return ("X-Forwarded-For", dice.choice([f"203.0.{dice.randrange(256)}.{dice.randrange(256)}", f"203.0.{dice.randrange(256)}.{dice.randrange(256)}", "2001:db8::1", "x", "1.2.3.4, " * 200, "999.1.1.1", "[::1]:80"]))

    def credential(self, dice):
        own = f"{uuid.UUID(int=dice.getrandbits(128), version=4)}.{'A' * 43}"
        wrong = [f"{KNOWN_INSTALL}.{'A' * 43}", f"i_{KNOWN_INSTALL}.{'A' * 43}", f"{KNOWN_INSTALL}", ".", "a.b", "a" * 5_000, f"{own}.{own}", "\x80.\x80", "%00." + "A" * 43]
        return ("Landfall-Profile", own if dice.randrange(4) else dice.choice(wrong))

    def key(self, dice):
        return ("Authorization", "Bearer pk_demo" if dice.randrange(12) else dice.choice(["Bearer pk_wrong", "Bearer", "bearer  pk_demo", "Basic cGs6", "Bearer " + "k" * 4_000, "Bearer pk_demo pk_demo", "Bearer p\x80k"]))

    def phone(self, dice):
        path = dice.choice(sorted(PHONE))
        fields = [self.key(dice), self.credential(dice), self.address(dice), ("Content-Type", dice.choice(["application/json", "application/json", "text/plain", "application/json; charset=utf-16", ""]))]
        return Request("phone", "POST", path, fields, values.document(dice, PHONE[path]))

    def link(self, dice):
        path = values.target(dice, ["/", "/beach", f"/{KNOWN_PATH}", "/welcome", "/.well-known/assetlinks.json", "/l/x", "/v1/profiles/me", "/console", "/lf/button"])
        fields = [("User-Agent", dice.choice(AGENTS)), self.address(dice), ("Accept-Language", dice.choice(["en", "de;q=0.1,*", "x" * 2_000, ",;=,", "a-b-c-d;q=9"]))]
        return Request("link", dice.choice(["GET", "GET", "GET", "HEAD", "POST", "OPTIONS"]), path, fields, host=dice.choice([BRAND, BRAND, BRAND.upper(), BRAND + ".", BRAND + ":443", "example.com"]))

    def read(self, dice):
        """A backend with its key, a stranger with none, and whoever has only the app's key."""
        backend = dice.randrange(2)
        fields = [("Authorization", f"Bearer {self.world['server_key']}") if backend else self.key(dice), self.credential(dice), self.address(dice)]
        paths = READ if backend or dice.randrange(3) == 0 else SHOWN
        if backend and dice.randrange(3) == 0:
            path = dice.choice(sorted(BACKEND))
            return Request("backend", "POST", path, fields, values.document(dice, BACKEND[path]), may=True)
        return Request("read", dice.choice(["GET", "GET", "GET", "HEAD", "PUT", "DELETE" if not backend else "GET"]), values.target(dice, paths), fields, may=bool(backend))

    def session(self, dice, role):
        cookie, proof = self.world["sessions"][role]
        return ("Cookie", f"__Host-landfall={cookie}"), proof

    def page(self, dice):
        role = dice.choice(ROLES)
        path = values.target(dice, ["/console" + page for page in PAGES])
        return Request(f"page of {role}", dice.choice(["GET", "GET", "GET", "HEAD"]), path, [self.session(dice, role)[0], ("User-Agent", dice.choice(AGENTS[:2]))], may=role != "viewer")

    def fields_of(self, dice, names):
        pairs = []
        for name in names:
            for _ in range(dice.choice([0, 1, 1, 1, 1, 2])):
                pairs.append((name, dice.choice(["a", "1", "https://example.com/a", "check", "csv", "is", "country", f"https://{BRAND}/beach", values.word(dice), values.number(dice)])))
        return pairs

    def form(self, dice):
        role, path = dice.choice(ROLES), dice.choice(sorted(FORMS))
        cookie, proof = self.session(dice, role)
        pairs = self.fields_of(dice, FORMS[path]) + [("csrf", proof)]
        text = urllib.parse.urlencode(pairs, errors="surrogatepass").encode()
        way = dice.randrange(10)
        if way == 0:
            text = text.replace(b"%", dice.choice([b"%%", b"%z", b""]), 2)
        elif way == 1:
            text += dice.choice([b"&a" * 3_000, b"&=&=", b"&%00=1", b"&a=%c3%28", b"&" + b"a" * 70_000, b"&csrf=x"])
        kind = dice.choice(["application/x-www-form-urlencoded"] * 6 + ["multipart/form-data; boundary=x", "text/plain", "application/json"])
        return Request(f"form of {role}", "POST", "/console" + path, [cookie, ("Sec-Fetch-Site", "same-origin"), ("Content-Type", kind)], text, may=role != "viewer")

    def unproven(self, dice):
        """A form from another page: it changes nothing, whoever's browser sends it."""
        role = dice.choice(ROLES)
        pairs = self.fields_of(dice, ["name", "email", "role", "message", "text"]) + [("csrf", dice.choice(["", "x", "a" * 64, self.world["sessions"][dice.choice(ROLES)][1]]))]
        site = dice.choice([("Sec-Fetch-Site", "cross-site"), ("Origin", "https://evil.example"), ("Origin", "null")])
        return Request("a form from elsewhere", "POST", "/console" + dice.choice(GUARDED), [self.session(dice, role)[0], site, ("Content-Type", "application/x-www-form-urlencoded")], urllib.parse.urlencode(pairs, errors="surrogatepass").encode(), may=role != "viewer", proven=False)

    def cookie(self, dice):
        cookie = self.world["sessions"]["owner"][0]
        text = dice.choice(["=", ";", "__Host-landfall=", "__Host-landfall=" + "a" * 43, f"landfall={cookie}", f"__host-landfall={cookie}", f"__Host-landfall={cookie}x", f'__Host-landfall="{cookie[:-1]}"', ";".join(f"a{n}=b" for n in range(400)),
                            "__Host-landfall=" + "a" * 6_000, "\x80=\x80", "a" * 6_000, f"__Host-landfall=x; __Host-landfall={cookie[:-2]}", f"__Host-landfall={cookie[:20]}", "__Host-landfall-sign-in=x", "__Host-landfall=%00"])
        return Request("cookie", "GET", "/console" + dice.choice(PAGES), [("Cookie", text)])

    def table(self, dice):
        role = dice.choice(["owner", "editor"])
        cookie, proof = self.session(dice, role)
        pairs = [("text", values.table(dice)), ("format", dice.choice(["csv", "firebase", "branch", "x"])), ("action", "check"), ("csrf", proof)]
        return Request("table", "POST", "/console/links/import", [cookie, ("Sec-Fetch-Site", "same-origin"), ("Content-Type", "application/x-www-form-urlencoded")], urllib.parse.urlencode(pairs, errors="surrogatepass").encode(), may=True)

    def file(self, dice):
        path = dice.choice(["/v1/configuration?dryRun=true", "/v1/configuration?dryRun=true&base=1", "/v1/configuration/impact"])
        return Request("file", "POST", path, [("Authorization", f"Bearer {self.world['server_key']}"), ("Content-Type", "application/yaml")], values.yaml(dice, self.world["configuration"]), may=True)

    def token(self, dice):
        claims = {"sub": dice.choice([KNOWN_CUSTOMER, "mallory", "", 1]), "aud": "com.example.app", "iat": dice.choice([1, 1e300, -1, 4e9]), "exp": dice.choice([1e300, 4e9, -1, 1])}
        body = {"key": "k", "customerId": KNOWN_CUSTOMER, "identityToken": values.signed(dice, claims)}
        return Request("token", "POST", "/v1/identify", [("Authorization", "Bearer pk_demo"), self.credential(dice), self.address(dice)], values.json.dumps(body).encode("utf-8", "surrogatepass"))

    def purchase(self, dice):
        inner = values.signed(dice, {"transactionId": "1", "originalTransactionId": "1", "bundleId": "com.example.app", "productId": "year", "purchaseDate": 1.7e12, "signedDate": 1.7e12, "environment": "Production"})
        notice = {"notificationType": "DID_RENEW", "notificationUUID": "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10", "version": "2.0", "signedDate": 1.7e12, "data": {"bundleId": "com.example.app", "environment": "Production", "signedTransactionInfo": inner}}
        if dice.randrange(2):
            return Request("notification", "POST", "/v1/app-store/notifications", [self.address(dice)], values.document(dice, {"signedPayload": values.signed(dice, notice)}))
        return Request("purchase", "POST", "/v1/purchases", [("Authorization", "Bearer pk_demo"), self.credential(dice), self.address(dice)], values.document(dice, {"transactions": [inner], "key": "k"}))

    def field(self, dice):
        names = ["X-" + "a" * dice.choice([1, 200, 3_000]), "Range", "If-None-Match", "If-Modified-Since", "Accept", "Accept-Encoding", "TE", "Via", "Forwarded", "X-Forwarded-Host", "X-Forwarded-Proto", "Idempotency-Key", "Landfall-Device", "Landfall-Link-Rules", "Referer", "Sec-Purpose", "Content-Encoding", "CF-IPCountry", "DNT", "Cache-Control"]
        texts = ["", "*", "bytes=0-0,-1", "W/\"x\"", "Thu, 01 Jan 1970 00:00:00 GMT", "image/webp", "gzip;q=0", "a" * 4_000, "\xc3\x28", "\t", "for=_x;host=api.example.com", "https", "%00", "0", "-1", "\xcc\x81" * 60, "prefetch"]
        fields = [(dice.choice(names), dice.choice(texts)) for _ in range(dice.choice([1, 2, 5, 90]))]
        return Request("field", dice.choice(["GET", "GET", "DELETE", "TRACE", "PATCH", "PROPFIND"]), dice.choice(SHOWN), fields, host=dice.choice([API, BRAND, "127.0.0.1"]))

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Signs in to the console by a real OpenID Connect provider on this machine.

script/check oidc [--binary PATH]: starts the provider (PyPI's oidc-provider-mock, in protocol/provider.py) and a server that names it, and goes
the way of a browser by plain requests: an owner by a group, another role at the next sign-in, no group, a wrong nonce, a wrong audience, a new
key, a foreign domain, a confirmation, and a server without passwords, whose provider then goes away. Some seconds; once it installs the
provider into .build.
"""
import json, re, subprocess, sys, tempfile, time, urllib.parse

import packages
from claims import Claims
from server import NO_APPLE, ROOT, Arguments, Server, ask, built, free_ports

PROVIDER = ["oidc-provider-mock==0.3.4", "Authlib==1.9.10"]
SECRET = "a secret of the client, with / and +"
CONFIGURATION = """
app: { id: example, bundleId: com.example.app }
keys: [{ sdk: pk_demo }]
paywalls: { default: {} }
placements: { onboarding: [{ audience: everyone, paywall: default }] }
signIn:
  passwords: %s
  openId:
    issuer: http://127.0.0.1:%d
    clientId: landfall
    clientSecretFrom: LANDFALL_OPENID_SECRET
    domains: [example.com]
    roles: { owners: owner, editors: editor }
"""
claims = Claims()


class Provider:
    def __init__(self, programs):
        self.port = free_ports(1)[0]
        self.process = subprocess.Popen(
            [programs / "python", ROOT / "Tests/Acceptance/protocol/provider.py", str(self.port)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if self.process.stdout.readline() != "ready\n":
            sys.exit("The provider does not start.")

    def knows(self, person, **more):
        """Sets what the provider says of a person."""
        said = {"email": f"{person}@example.com", "email_verified": True, "name": person.title(), "groups": []} | more
        ask(self.port, f"/users/{person}", said, {"Content-Type": "application/json"}, method="PUT")

    def signs_in(self, address, person):
        """Where the provider leads the browser to."""
        way = urllib.parse.urlsplit(address)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        return ask(self.port, f"{way.path}?{way.query}", f"sub={person}", form).fields["Location"]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


class Browser:
    """Keeps cookies, and follows no redirect by itself."""

    def __init__(self, server):
        self.server, self.cookies = server, {}

    def get(self, path, body=None):
        fields = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())} if self.cookies else {}
        if body is not None:
            fields |= {"Origin": self.server.base, "Content-Type": "application/x-www-form-urlencoded"}
        answer = self.server.ask(path, None if body is None else urllib.parse.urlencode(body), fields)
        for line in answer.fields.get_all("Set-Cookie") or []:
            name, value = line.split(";")[0].split("=", 1)
            if value:
                self.cookies[name] = value
            else:
                self.cookies.pop(name, None)
        return answer

    def signs_in(self, provider, person, begin="/console/sign-in/provider", change=lambda address: address):
        """The answer of the console at the end of the way."""
        address = self.get(begin).fields["Location"]
        back = urllib.parse.urlsplit(provider.signs_in(change(address), person))
        return self.get(f"{back.path}?{back.query}")


def word(answer):
    found = re.search(r"<code>([a-z_]+)</code>", answer.text)
    return found[1] if found else str(answer)


def by_groups(provider, server):
    maya = Browser(server)
    # An hour ago: the provider has not asked for the password since.
    provider.knows("maya", groups=["owners", "others"], auth_time=int(time.time()) - 3_600)
    answer = maya.signs_in(provider, "maya")
    claims.check("Somebody of the group of owners signs in, and is an owner.", (answer.status, answer.fields["Location"]) == (303, "/console"), answer)
    page = maya.get("/console/account").text
    claims.check("  The console knows who it is.", "Owner" in page and "maya@example.com" in page)
    claims.check("  A dangerous page asks for a confirmation first.", "/console/confirm" in (maya.get("/console/settings/members").fields["Location"] or ""))
    provider.knows("maya", groups=["owners"], auth_time=int(time.time()))
    answer = maya.signs_in(provider, "maya", "/console/confirm/provider?next=/console/settings/members")
    claims.check("  A sign-in of now at the provider confirms it.", maya.get(answer.fields["Location"]).status == 200, answer)

    provider.knows("maya", groups=["editors"])
    other = Browser(server)
    other.signs_in(provider, "maya")
    claims.check("With another group the next sign-in gives another role.", "Editor" in other.get("/console/account").text)
    claims.check("  The session with the old role has ended.", maya.get("/console/account").status == 303)
    provider.knows("maya", groups=["others"])
    answer = other.signs_in(provider, "maya")
    claims.check("Without a group that has a role nobody comes in.", (answer.status, word(answer)) == (403, "no_group"), word(answer))
    claims.check("  The open session has ended too.", other.get("/console/account").status == 303)


def refused(provider, server):
    def says(expected, claim, person="omar", **more):
        browser = Browser(server)
        answer = browser.signs_in(provider, person, **more)
        claims.check(claim, word(answer) == expected and "__Host-landfall" not in browser.cookies, word(answer))

    provider.knows("omar", groups=["owners"])
    says("nonce", "A token with another nonce is refused.", change=lambda address: re.sub("nonce=[^&]*", "nonce=other", address))
    says("code", "A code for another challenge is refused.", change=lambda address: re.sub("code_challenge=[^&]*", "code_challenge=" + "A" * 43, address))
    says("state", "An answer with another state is refused.", change=lambda address: re.sub("([?&])state=[^&]*", r"\1state=other", address))
    provider.knows("omar", groups=["owners"], aud="another")
    says("claims", "A token for another client is refused.")
    provider.knows("omar", groups=["owners"], email="omar@example.org")
    says("foreign", "An address of another domain is refused.")
    provider.knows("omar", groups=["owners"], email_verified=False)
    says("unverified", "An address that the provider has not verified is refused.")
    provider.knows("omar", groups=["owners"])
    ask(provider.port, "/rotate", "")
    answer = Browser(server).signs_in(provider, "omar")
    claims.check("A new key of the provider is taken at once.", answer.status == 303, word(answer))
    log = server.log.read_text() + server.output.read_text()
    claims.check("The log has no token, no code and no secret.", not re.search(r"eyJ|[?&]code=|a secret of the client", log))


def without_passwords(provider, server):
    browser = Browser(server)
    page = browser.get("/console/sign-in").text
    claims.check("Without passwords the sign-in page has none.", 'type="password"' not in page and "/console/sign-in/provider" in page)
    answer = browser.get("/console/sign-in", {"email": "maya@example.com", "password": "six grey herons at noon"})
    claims.check("  A password is refused.", answer.status == 403, answer)
    provider.knows("maya", groups=["owners"])
    claims.check("  The provider lets people in.", browser.signs_in(provider, "maya").status == 303)

    provider.process.kill()
    invite = [built(), "console", "invite", "--email", "lea@example.com", "--role", "owner", "--data", server.data, "--json"]
    link = urllib.parse.urlsplit(json.loads(subprocess.run(invite, capture_output=True, text=True, check=True).stdout)["url"])
    lea = Browser(server)
    token = urllib.parse.parse_qs(link.query)["token"][0]
    answer = lea.get("/console/join", {"token": token, "name": "Lea"})
    claims.check("While the provider is away, a link of the operator lets an owner in.", answer.status == 303 and "Owner" in lea.get("/console/account").text, answer)


def main():
    Arguments(__doc__).parse_args()
    programs = packages.installed("oidc-provider-mock-0.3.4", PROVIDER) or sys.exit("pip cannot install oidc-provider-mock.")
    variables = {"LANDFALL_OPENID_SECRET": SECRET}
    with tempfile.TemporaryDirectory(prefix="landfall-oidc-") as folder, Provider(programs) as provider:
        with Server(f"{folder}/with", CONFIGURATION % ("true", provider.port), *NO_APPLE, environment=variables) as server:
            by_groups(provider, server)
            refused(provider, server)
        with Server(f"{folder}/without", CONFIGURATION % ("false", provider.port), *NO_APPLE, environment=variables) as server:
            without_passwords(provider, server)
    claims.end("People sign in by an OpenID Connect provider.")


main()

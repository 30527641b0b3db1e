#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Alerts by e-mail through a real mail server, PyPI's aiosmtpd: STARTTLS and TLS, a password, certificates that nobody trusts.

The server trusts what the system trusts. This program lays an authority of its own over that, in mounts of its own: as root on Linux only.
script/check mail [--binary PATH]
"""
import email, logging, os, pathlib, ssl, subprocess, sys, tempfile, warnings

import packages
import proxies
from claims import Claims
from server import EXAMPLE, Arguments, Server, built, free_ports

Arguments(__doc__).parse_args()
BUNDLE = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")
if sys.platform != "linux" or os.geteuid() or not BUNDLE.exists():
    print("It lays certificates over the system's, for itself: as root on Debian and Ubuntu only.")
    sys.exit(0)
try:
    from aiosmtpd.controller import Controller
    from aiosmtpd.smtp import AuthResult
except ImportError:
    if not packages.enter("mail-tools", ["aiosmtpd==1.4.6"]):
        print("PyPI cannot be reached: no mail server is here to be tried.")
        sys.exit(0)
    raise
if os.environ.get("LANDFALL_OWN_MOUNTS") != "yes":
    os.environ["LANDFALL_OWN_MOUNTS"] = "yes"
    os.execvp("unshare", ["unshare", "--mount", sys.executable, *sys.argv])

# It warns of a password without STARTTLS, which it cannot tell from one inside TLS.
warnings.simplefilter("ignore")
logging.getLogger("mail.log").setLevel(logging.ERROR)
claims = Claims()
check = claims.check
USER, PASSWORD = "landfall@example.com", "päss word+1"


class Mailbox:
    """What a mail server has taken, and over what."""

    def __init__(self):
        self.letters = []

    async def handle_DATA(self, server, session, envelope):
        self.letters.append((envelope, email.message_from_bytes(envelope.content), server.transport.get_extra_info("ssl_object") is not None))
        return "250 taken"


def authenticated(server, session, envelope, mechanism, data):
    return AuthResult(success=(data.login, data.password) == (USER.encode(), PASSWORD.encode()), handled=False)


def context(folder, name):
    secure = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    secure.load_cert_chain(folder / f"{name}.pem", folder / f"{name}.key")
    return secure


def receiver(mailbox, port, *, starttls=None, tls=None):
    """A mail server that asks for a password, but never in plain text."""
    return Controller(
        mailbox, hostname="127.0.0.1", port=port, ssl_context=tls, tls_context=starttls, require_starttls=starttls is not None,
        authenticator=authenticated, auth_required=tls is not None or starttls is not None, auth_require_tls=tls is None)


def destination(name, port, **more):
    fields = {"host": "localhost", "port": port, "user": USER, "passwordFrom": "LANDFALL_MAIL_PASSWORD", "from": USER, "to": "[ops@example.com, night@example.com]"} | more
    return f"    {name}:\n      email: {{ " + ", ".join(f"{key}: {value}" for key, value in fields.items() if value) + " }\n"


with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    for name, host in (("trusted", "localhost"), ("foreign", "localhost"), ("another", "mail.example.com")):
        proxies.certificate(folder, name, f"{name}.key", [host], 10)
    trusted = (folder / "trusted.pem").read_text() + (folder / "another.pem").read_text()
    (folder / "bundle").write_text(trusted)
    subprocess.run(["mount", "--bind", folder / "bundle", BUNDLE], check=True)

    mailbox, ports = Mailbox(), free_ports(6)
    secure = {name: context(folder, name) for name in ("trusted", "foreign", "another")}
    kinds = {
        "starttls": receiver(mailbox, ports[0], starttls=secure["trusted"]),
        "tls": receiver(mailbox, ports[1], tls=secure["trusted"]),
        "foreign": receiver(mailbox, ports[2], tls=secure["foreign"]),
        "another": receiver(mailbox, ports[3], tls=secure["another"]),
        "plain": receiver(mailbox, ports[4]),
    }
    wanted = {name: ("starttls" if name in ("starttls", "plain") else "tls") for name in kinds}
    text = EXAMPLE + "\nalerts:\n  destinations:\n" + "".join(
        destination(name, ports[place], security=wanted[name]) for place, name in enumerate(kinds))
    text += destination("password", ports[1], security="tls", passwordFrom="LANDFALL_WRONG_PASSWORD") + destination("nobody", ports[5], security="tls")
    for each in kinds.values():
        each.start()
    secrets = {"LANDFALL_MAIL_PASSWORD": PASSWORD, "LANDFALL_WRONG_PASSWORD": "guessed"}
    try:
        with Server(folder / "server", text, "--webhooks-to-private", environment=secrets) as server:
            def test(name):
                done = subprocess.run([built(), "alerts", "test", "--to", name, "--data", server.data], capture_output=True, text=True, timeout=60)
                return done.returncode, done.stdout + done.stderr

            for name in ("starttls", "tls"):
                before = len(mailbox.letters)
                status, told = test(name)
                check(f"{name}: the test is taken", status == 0 and len(mailbox.letters) == before + 1, told)
                if len(mailbox.letters) > before:
                    envelope, letter, was_secure = mailbox.letters[-1]
                    check(f"{name}: over TLS, for each receiver, with a subject and an id",
                          was_secure and envelope.rcpt_tos == ["ops@example.com", "night@example.com"] and letter["Subject"] and letter["Message-ID"],
                          (was_secure, envelope.rcpt_tos, letter.items()))
            before = len(mailbox.letters)
            for name, why, words in (
                ("foreign", "a certificate that nobody trusts", "does not trust"), ("another", "a trusted certificate of another host", "does not name 'localhost'"),
                ("plain", "a server that offers no STARTTLS", "offers no STARTTLS"), ("password", "a wrong password", "answers '535"),
                ("nobody", "a port where nobody listens", "cannot be reached"),
            ):
                status, told = test(name)
                check(f"With {why} nothing is sent, and the command says why",
                      status == 1 and len(mailbox.letters) == before and words in told and PASSWORD not in told and "guessed" not in told, (status, told))
            log = server.log.read_text()
            check("No password is in the log", PASSWORD not in log and "guessed" not in log)
    finally:
        for each in kinds.values():
            each.stop()
claims.end("A real mail server takes alerts over STARTTLS and TLS, and nothing else gets them.")

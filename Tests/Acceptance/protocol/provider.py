# SPDX-License-Identifier: Apache-2.0
"""An OpenID Connect provider on this machine: PyPI's oidc-provider-mock, which is made of Authlib, on a port of 127.0.0.1.

It signs in anybody. PUT /users/SUB sets the claims of a person, POST /rotate makes a new key, and a code is exchanged for the verifier of
its challenge only (PKCE, which oidc-provider-mock leaves out).
"""
import base64, hashlib, os, sys, urllib.parse

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"

import flask
import oidc_provider_mock
from authlib import jose
from werkzeug.serving import make_server

app = oidc_provider_mock.app(require_nonce=True)
challenges = {}


@app.after_request
def remember(answer):
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(answer.headers.get("Location", "")).query).get("code")
    if code and flask.request.path == "/oauth2/authorize":
        challenges[code[0]] = flask.request.args.get("code_challenge")
    return answer


@app.before_request
def compare():
    if flask.request.path == "/oauth2/token":
        digest = hashlib.sha256(flask.request.form.get("code_verifier", "").encode()).digest()
        challenge = challenges.pop(flask.request.form.get("code"), None)
        if challenge != base64.urlsafe_b64encode(digest).decode().rstrip("="):
            return {"error": "invalid_grant"}, 400


@app.post("/rotate")
def rotate():
    flask.g.oidc_provider_mock_storage.jwk = jose.RSAKey.generate_key(2048, is_private=True)
    return "", 204


server = make_server("127.0.0.1", int(sys.argv[1]), app, threaded=True)
print("ready", flush=True)
server.serve_forever()

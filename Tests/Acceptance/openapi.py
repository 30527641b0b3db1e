#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares docs/openapi.yaml with a running server: a generated client uses it, and generated calls are answered as it promises.

script/check openapi [--binary PATH] [--only WORD] [--examples N]: first openapi-python-client makes a client from the document, without
a warning, and the client makes calls and reads typed answers. Then schemathesis generates calls of every operation from the document,
right calls and wrong calls. Every answer has to be one that the document promises: status, headers, type and body. The server must not
refuse what the document allows, must not accept what it forbids, and must not answer 5xx. The seed is fixed, so a failure can be
repeated; --seed sets another one.

All calls go to a separate server on loopback, in a temporary folder. Installs both programs into .build once
(PyPI). Needs script/build Server and python3. About a minute.
"""
import json, os, pathlib, re, secrets, subprocess, sys, tempfile, time

import packages
from server import NO_APPLE, ROOT, Arguments, Server, phone

SCHEMATHESIS, GENERATOR = "4.32.5", "0.29.1"
SERVER_KEY = "sk_" + secrets.token_hex(24)
PROFILE = f"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10.{'A' * 43}"
CONFIGURATION = """
app: { id: example, bundleId: com.example.app, scheme: example }
keys:
  - sdk: pk_demo
  - { serverFrom: LANDFALL_SERVER_KEY, may: [links, configuration, reports, profiles, access, erase, webhooks] }
domains: { brand: [links.example.com], universal: [example.com] }
attributes: { plan: string }
paywalls:
  default: { products: [year], defaultLocale: en, remoteConfig: { en: { title: Unlock }, ja: { title: 解除 } } }
  special: { products: [month] }
audiences: { spring: { attribution.campaign: { is: spring } } }
placements: { onboarding: [{ audience: spring, paywall: special }, { audience: everyone, paywall: default }], home: [{ audience: everyone, experiment: spring-price }] }
experiments: { spring-price: { state: live, variations: { A: { weight: 50, paywall: default }, B: { weight: 50, paywall: special } } } }
"""


def installed(name):
    """The program of that name: schemathesis, openapi-python-client, or python, which has what they import."""
    wanted = [f"schemathesis=={SCHEMATHESIS}", f"openapi-python-client=={GENERATOR}"]
    folder = packages.installed(f"openapi-{SCHEMATHESIS}-{GENERATOR}", wanted) or sys.exit(f"pip cannot install {' and '.join(wanted)}.")
    return folder / name


# Validates every line of a stream separately, and sends a file unchanged, without quotes around it.
FORMS = """
import json, schemathesis

@schemathesis.deserializer("application/x-ndjson")
def lines(context, response):
    return [json.loads(line) for line in response.content.splitlines() if line.strip()]

# All names of one family: the first of them that is registered is taken.
@schemathesis.serializer("text/yaml", "text/x-yaml", "text/vnd.yaml", "text/yml", "application/yaml", "application/x-yaml")
def file(context, value):
    return value.encode() if isinstance(value, str) else json.dumps(value).encode()
"""


def call(server, path, body, fields):
    """Makes a call that has to happen before the generated calls."""
    answer = server.ask(path, body, fields, seconds=60)
    return answer if answer.status < 300 else sys.exit(f"{path} answers {answer}.")


def prepared(server):
    """An install with an exposure, and a version that waits for its time: by operation, the values for its parameters and body."""
    install, event = PROFILE.split(".")[0], "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e11"
    call(server, "/v1/first-open", {"adToken": {"none": "noToken"}}, phone(install))
    shown = {"id": event, "type": "paywall_shown", "ageMilliseconds": 0, "placement": "onboarding", "paywall": "default"}
    call(server, "/v1/events", {"events": [shown]}, phone(install))
    files = [CONFIGURATION, CONFIGURATION.replace("Unlock", "Open"), CONFIGURATION + "# nothing else\n", "app: {}\n", "a: [\n"]
    later = int(time.time() * 1000) + 86_400_000
    backend = {"Authorization": f"Bearer {SERVER_KEY}", "Content-Type": "application/yaml"}
    answer = call(server, f"/v1/configuration?atMilliseconds={later}", files[1], backend).json()
    call(server, "/v1/links", {"links": [{"to": "example://known", "suffix": "known"}]}, {"Authorization": f"Bearer {SERVER_KEY}"})
    link = {"domain": ["links.example.com"], "suffix": ["known", "nothing"]}
    return {
        **{name: link for name in ["getLink", "changeLink", "deleteLink"]},
        "getPaywall": {"id": ["onboarding", "nowhere"]},
        "explain": {"install": [install], "profile": [f"i_{install}"], "placement": ["onboarding"], "exposure": [event, "nothing"]},
        "cancelScheduledVersion": {"id": [answer["scheduled"]["id"], "nothing"]},
        **{name: {"name": ["spring-price", "nothing"]} for name in ["getExperimentResults", "getExperimentNumbers", "listExperimentUnits"]},
        "publishConfiguration": {"": files}, "measureImpact": {"": files},
    }


def document(folder, values):
    """The document, with a rule of its introduction written into each schema: in a request, null means an absent field."""
    # The venv has a YAML reader; this script runs outside the venv.
    program = "import json, sys, yaml; json.dump(yaml.safe_load(open(sys.argv[1])), sys.stdout, default=str)"
    text = subprocess.run([installed("python"), "-c", program, ROOT / "docs/openapi.yaml"], capture_output=True, check=True, text=True).stdout
    spec = json.loads(text)
    seen = set()

    def nullable(schema):
        if "$ref" in schema:
            name = schema["$ref"]
            if name not in seen:
                seen.add(name)
                nullable(spec["components"]["schemas"][name.rsplit("/", 1)[1]])
            return
        for name, part in schema.get("properties", {}).items():
            nullable(part)
            if name not in schema.get("required", []):
                schema["properties"][name] = {"anyOf": [part, {"type": "null"}]}
        for part in [*schema.get("oneOf", []), *schema.get("allOf", []), *[schema[key] for key in ["items"] if key in schema]]:
            nullable(part)

    for path in spec["paths"].values():
        for operation in path.values():
            for content in operation.get("requestBody", {}).get("content", {}).values():
                nullable(content["schema"])
            for answer in operation["responses"].values():
                lines = answer.get("content", {}).get("application/x-ndjson")
                if lines:
                    lines["schema"] = {"type": "array", "items": lines["schema"]}
            # Names that exist, and names that do not: generated names would never exist.
            known = values.get(operation["operationId"], {})
            for parameter in operation.get("parameters", []):
                if parameter.get("name") in known:
                    parameter["schema"] = {"enum": known[parameter["name"]]}
            if "" in known:
                operation["requestBody"]["content"]["application/yaml"]["schema"] = {"enum": known[""]}
    (folder / "openapi.json").write_text(json.dumps(spec))
    return folder / "openapi.json"


# What a backend or an app in Python would write: a call for each line, and the type of its answer.
CALLS = """
import json, sys
from client import AuthenticatedClient
from client.api.configuration import list_versions
from client.api.events import record_events
from client.api.first_open import open_first, report_ad_token
from client.api.links import make_links, open_link
from client.api.paywalls import get_paywall
from client.api.profiles import change_attributes, claim_attribution, erase, get_profile, identify, log_out
from client.api.reports import get_report
from client.models import *

address, server_key, profile = sys.argv[1:]
phone = AuthenticatedClient(address, "pk_demo", headers={"Landfall-Profile": profile})
backend = AuthenticatedClient(address, server_key)

def read(answer, kind, attribution=object):
    assert isinstance(answer, kind), f"The answer is not read as {kind.__name__}: {answer}"
    assert attribution is object or isinstance(answer.attribution, attribution), f"Not read as {attribution.__name__}: {answer}"
    return answer

# The client reads one document for each answer; a stream has one in each line.
wish = FirstOpenRequest(ad_token=AdTokenWord.COMING, placements=[FirstOpenRequestPlacementsItem(id=id) for id in ["onboarding", "nowhere"]])
stream = phone.get_httpx_client().request(**open_first._get_kwargs(body=wish)).text.splitlines()
kinds = {"profile": ProfileLine, "attribution": AttributionLine, "paywall": PaywallLine, "problem": ProblemLine, "end": EndLine}
lines = [kinds[line["type"]].from_dict(line) for line in map(json.loads, filter(str.strip, stream))]
assert {type(line) for line in lines} == set(kinds.values()), lines
assert all(isinstance(line.attribution, PendingAttribution) for line in lines if line.type_ == "attribution"), lines

read(report_ad_token.sync(client=phone, body=NoAdToken(none="unsupported")), ProfileAnswer, UnavailableAttribution)
claim = AttributionClaim(source="appsflyer", status=AttributionClaimStatus.NON_ORGANIC, campaign="Summer")
read(claim_attribution.sync(client=phone, body=claim), ProfileAnswer, KnownAttribution)
changes = AttributeChangesAttributes.from_dict({"plan": "pro"})
read(change_attributes.sync(client=phone, body=AttributeChanges(attributes=changes)), ProfileAnswer, KnownAttribution)
answer = read(get_profile.sync(client=phone), ProfileAnswer, KnownAttribution)
assert answer.attribution.campaign == "Summer" and answer.profile.custom_attributes["plan"] == "pro", answer
assert read(get_paywall.sync("onboarding", client=phone), PaywallAnswer).paywall.product_ids, "A paywall without products."
event = Event(id=profile.split(".")[0], type_="paywall_shown", age_milliseconds=0, placement="onboarding")
answer = read(record_events.sync(client=phone, body=EventBatch(events=[event])), EventBatchAnswer)
assert [result.status for result in answer.results] == [EventBatchAnswerResultsItemStatus.ACCEPTED], answer
answer = read(make_links.sync(client=backend, body=LinkWishes(links=[LinkWish(to="example://beach", campaign="spring")])), LinksMade)
answer = read(open_link.sync(client=phone, body=LinkOpenRequest(url=answer.links[0].url)), LinkOpenAnswer, KnownAttribution)
assert answer.resolved == "example://beach" and isinstance(answer.profile, Profile), answer
read(identify.sync(client=phone, body=IdentifyRequest(customer_id="customer-7")), ProfileAnswer)
read(log_out.sync(client=phone, body=LogoutRequest()), ProfileAnswer)
assert all(read(entry, VersionEntry).author for entry in read(list_versions.sync(client=backend), list)), "A version without an author."
read(get_report.sync(GetReportName.CAMPAIGNS, client=backend), Report)
assert read(erase.sync(client=backend, body=ErasureOfCustomer(customer_id="customer-7")), Erasure).profiles == 1, "Nobody was erased."
read(get_profile.sync(client=AuthenticatedClient(address, "pk_wrong", headers={"Landfall-Profile": profile})), ErrorBody)
"""


def call_by_client(folder, port):
    """A client is made from the document as it is, and has to read every answer as the type that the document promises."""
    # This generator knows no YAML and no lines of JSON; such a body stays bytes.
    (folder / "client.yaml").write_text(
        "post_hooks: []\ncontent_type_overrides: { application/yaml: application/octet-stream, application/x-ndjson: application/octet-stream }\n")
    subprocess.run(
        [installed("openapi-python-client"), "generate", "--path", ROOT / "docs/openapi.yaml", "--config", folder / "client.yaml",
         "--output-path", folder / "client", "--meta", "none", "--fail-on-warning"], check=True, cwd=folder, env=dict(os.environ, NO_COLOR="1"))
    profile = f"0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e12.{'B' * 43}"
    (folder / "calls.py").write_text(CALLS)
    if subprocess.run([installed("python"), "calls.py", f"http://127.0.0.1:{port}", SERVER_KEY, profile], cwd=folder).returncode:
        sys.exit("The generated client cannot use the server as docs/openapi.yaml says.")
    print("A generated client made its calls and read every answer.")


# Right calls may be refused for these reasons: a key that was used before, an erased install, an unknown name.
REFUSALS = ["401", "403", "404", "409", "410", "412", "428", "429"]
# If a schema cannot describe the right values, 400 is right too: days of a report, the address of a link, the text of a configuration …
BEYOND_SCHEMAS = {
    "listLinks": "cursor is the address of a link", "removeLink": "url is one too", "changeLink": "the fields of a link", "changeLinks": "addresses of links, each once", "getReport": "at most 400 days, known fields", "getRevenue": "the same, and fields of the view",
    "publishConfiguration": "YAML", "measureImpact": "YAML", "exportFallback": "names of the configuration",
    "claimAttribution": "reserved sources", "changeAttributes": "declared types", "openFirst": "declared types, addresses of links",
    "getPaywall": "language codes", "openLink": "addresses of links", "identify": "tokens", "explain": "an install or a profile",
    "receiveAppStoreNotification": "Apple's signature", "grantAccess": "levels of the configuration, an end in the future, one person",
}
# Each element has its own result, so a wrong element does not make the call wrong.
BY_ELEMENT = ["recordEvents", "makeLinks", "changeLinks", "openFirst", "reportPurchases"]
# The state that the call is about is compared before the body is read, and no link is at a wrong address.
BY_STATE = ["changeLink", "deleteLink"]
# A null counts as absent, and an absent token means that the token will follow.
NULL_IS_ABSENT = ["reportAdToken"]


def settings(port, spec):
    """The credentials of the calls, and the checks of the answers."""
    text = f"""
base-url = "http://127.0.0.1:{port}"

[generation]
allow-x00 = false
codec = "ascii"

[auth.openapi.sdkKey]
bearer = "pk_demo"

[auth.openapi.serverKey]
bearer = "{SERVER_KEY}"

[auth.openapi.profile]
api_key = "{PROFILE}"

[checks.positive_data_acceptance]
expected-statuses = {json.dumps(["2xx", *REFUSALS])}
"""
    for name in BEYOND_SCHEMAS:
        text += f"""
[[operations]]
include-operation-id = "{name}"
[operations.checks.positive_data_acceptance]
expected-statuses = {json.dumps(["2xx", "400", *REFUSALS])}
"""
    for name in [*BY_ELEMENT, *BY_STATE, *NULL_IS_ABSENT]:
        text += f"""
[[operations]]
include-operation-id = "{name}"
[operations.checks.negative_data_rejection]
expected-statuses = {json.dumps(["200", "400", "412", "413", *REFUSALS])}
"""
    names = {operation["operationId"] for path in spec["paths"].values() for operation in path.values()}
    unknown = [name for name in [*BEYOND_SCHEMAS, *BY_ELEMENT, *BY_STATE, *NULL_IS_ABSENT] if name not in names]
    if unknown:
        sys.exit(f"docs/openapi.yaml has no {', '.join(unknown)} any more: correct this script.")
    return text


def main():
    parser = Arguments(__doc__)
    parser.add_argument("--only", metavar="WORD", help="operations whose path has this word")
    parser.add_argument("--examples", type=int, default=25, help="made-up calls of an operation (25)")
    parser.add_argument("--seed", type=int, default=20261122)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        secret = {"LANDFALL_SERVER_KEY": SERVER_KEY, "LANDFALL_LOG_LEVEL": "error"}
        with Server(folder / "server", CONFIGURATION, *NO_APPLE, environment=secret) as server:
            if not options.only:
                call_by_client(folder, server.port)
            spec = document(folder, prepared(server))
            (folder / "forms.py").write_text(FORMS)
            (folder / "schemathesis.toml").write_text(settings(server.port, json.loads(spec.read_text())))

            def run(*more):
                return subprocess.run(
                    [installed("schemathesis"), "--config-file", folder / "schemathesis.toml", "run", spec, "--seed", str(options.seed),
                     "--max-examples", str(options.examples), "--phases", "examples,coverage,fuzzing",
                     # One thread: before Python 3.13, parsing in two at once can end in SystemError (python/cpython issue 106905).
                     "--workers", "1", "--continue-on-failure", "--request-timeout", "40", *more],
                    cwd=folder, env=dict(os.environ, NO_COLOR="1", SCHEMATHESIS_HOOKS="forms", PYTHONPATH=str(folder))).returncode

            only = ["--include-path-regex", re.escape(options.only)] if options.only else []
            # Calls of brand domains need their host. An erased install is refused from then on, so erasures are last.
            failed = run("--exclude-operation-id-regex", "^(erase|eraseProfile|getAppleAssociation|getAndroidAssociation|followLink)$", *only)
            if not options.only:
                failed += run("--include-operation-id-regex", "^(erase|eraseProfile)$")
            if server.process.poll() is not None:
                raise server.failure("The server has ended")
        # The link for the console's first owner is no error.
        logged = "".join(line for line in open(server.log) if not line.startswith("console: "))
        if logged:
            print("The server's log has errors:\n" + logged[-2000:], file=sys.stderr)
        sys.exit(1 if failed or logged else 0)


main()

# SPDX-License-Identifier: Apache-2.0
"""The part of script/check mcp that uses the client library: client.py PROGRAM INSTALL EXPOSURE, with the server's address and key in the
environment. It may publish only in its last session."""
import asyncio, os, pathlib, sys

import jsonschema
from mcp import Client, MCPError, StdioServerParameters

# After the library's own place: mcp.py of that folder has its name.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from claims import Claims

PROGRAM, INSTALL, EXPOSURE = sys.argv[1:]
READING = [
    "read_configuration", "list_versions", "check_configuration", "diff_configuration", "measure_impact", "explain", "report",
    "list_experiments", "experiment_results", "revenue", "list_links", "show_link"]
claims = Claims()


def session(*arguments):
    variables = {name: value for name, value in os.environ.items() if name.startswith("LANDFALL_")}
    return Client(StdioServerParameters(command=PROGRAM, args=["mcp", *arguments], env=variables))


def text(answer, index=0):
    return answer.content[index].text


async def refusal(client, name, arguments):
    """The error of the protocol for a call; None if it was answered."""
    try:
        await client.call_tool(name, arguments)
    except MCPError as error:
        return error.error


async def reading(client):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    claims.check("The client lists the tools.", list(tools) == [*READING, "create_link"], list(tools))
    for tool in tools.values():
        jsonschema.Draft202012Validator.check_schema(tool.input_schema)
    reads = [name for name, tool in tools.items() if tool.annotations.read_only_hint]
    claims.check("Each schema is one, and only create_link does not read.", reads == READING, reads)

    async def call(name, **arguments):
        jsonschema.validate(arguments, tools[name].input_schema)
        answer = await client.call_tool(name, arguments)
        words = [value for value in arguments.values() if isinstance(value, str) and "\n" not in value]
        claims.check(" ".join([name, *words, "is answered."]), not answer.is_error and text(answer), answer)
        return answer

    read = await call("read_configuration")
    yaml = text(read, 1)
    changed = yaml.replace("everyone, paywall: default", "everyone, paywall: special")
    claims.check("  It has the file.", text(read) == "This is version 1." and "brand: [links.example.com]" in yaml, read)
    check = await call("check_configuration", yaml=changed)
    wrong = await call("check_configuration", yaml="app: {}\nnonsense: 1\n")
    claims.check("  A right text is right, and a wrong one has its problems.",
                 check.structured_content["ok"] and len(wrong.structured_content["problems"]) > 1, wrong)
    here = await call("check_configuration", yaml=changed, at="here")
    missing = [problem["message"] for problem in here.structured_content["problems"]]
    claims.check("  Here the secrets are those of this machine, and nothing is sent.", len(missing) == 1 and "LANDFALL_LINK_KEY" in missing[0], missing)
    diff = await call("diff_configuration", yaml=changed, expectedVersion=1)
    claims.check("  It says what changes.", "everyone now sees paywall special instead of paywall default" in text(diff), diff)
    impact = await call("measure_impact", yaml=changed)
    claims.check("  It says for whom.", impact.structured_content["sampled"] == 1, impact)
    why = await call("explain", install=INSTALL, placement="onboarding")
    claims.check("  It says which audience.", why.structured_content["chosen"]["audience"] == "everyone", why)
    await call("explain", install=INSTALL, placement="onboarding", exposure=EXPOSURE)
    for report in ["campaigns", "funnel", "links", "overview", "paywalls", "retention"]:
        answer = await call("report", report=report)
        claims.check("  It has its columns.", answer.structured_content["report"] == report and answer.structured_content["columns"], answer)
    await call("report", report="campaigns", by=["source", "country"])
    await call("list_experiments")
    results = await call("experiment_results", experiment="price")
    claims.check("  It has a verdict's figures.", results.structured_content["experiment"] == "price", results)
    for view in ["purchase", "booking", "subscriptions", "cohorts"]:
        await call("revenue", view=view)
    made = await call("create_link", to="example://beach", suffix="beach", campaign="spring", when=[{"country": ["DE"], "to": "example://strand"}])
    claims.check("  It has the address.", text(made) == "https://links.example.com/beach", made)
    listed = await call("list_links", campaign="spring")
    claims.check("  The list has the new link.", [link["url"] for link in listed.structured_content["links"]] == [text(made)], listed)
    await call("show_link", url=text(made))
    versions = await call("list_versions")
    claims.check("  Nothing was published.", [entry["version"] for entry in versions.structured_content["versions"]] == [1], versions)

    wrong = await client.call_tool("report", {"report": "everything"})
    claims.check("A wrong argument is an answer that names it.", wrong.is_error and "'report' has to be one of" in text(wrong), wrong)
    answers = await asyncio.gather(*[client.call_tool("list_links", {"query": str(number)}) for number in range(50)])
    claims.check("Fifty calls at once are answered.", not any(answer.is_error for answer in answers))
    error = await refusal(client, "publish_configuration", {"yaml": changed, "message": "For all", "expectedVersion": 1})
    claims.check("The tool that publishes is refused without the flag.", error and error.code == -32602 and "--allow-publishing" in error.message, error)
    return changed


async def publishing(client, changed):
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    claims.check("With the flag the tool that publishes is there, and says that it replaces.", tools["publish_configuration"].annotations.destructive_hint)
    order = {"yaml": changed, "message": "For all", "expectedVersion": 1}
    answer = await client.call_tool("publish_configuration", order)
    claims.check("It publishes the next version.", not answer.is_error and answer.structured_content["version"] == 2, answer)
    answer = await client.call_tool("publish_configuration", order)
    claims.check("It refuses a text that was made from an older version.", answer.is_error and "made from version 1" in text(answer), answer)
    versions = await client.call_tool("list_versions", {})
    newest = versions.structured_content["versions"][0]
    claims.check("The list says the reason and the key.", (newest["version"], newest["message"], newest["author"]) == (2, "For all", "key LANDFALL_SERVER_KEY"), newest)


async def main():
    async with session() as client:
        claims.check("The client begins a session by the handshake.", client.server_info.name == "landfall", client.server_info)
        changed = await reading(client)
    async with session("--allow-publishing") as client:
        await publishing(client, changed)
    claims.end("The client library is served.")


asyncio.run(main())

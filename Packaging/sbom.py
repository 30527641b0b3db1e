# SPDX-License-Identifier: Apache-2.0
"""What a built server contains, as CycloneDX 1.6: each Swift package with its version and revision, and what was linked statically."""
import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent


def document(binary, version, commit, epoch, archives):
    """
    archives: libraries (.a) that were linked into the program, beside Swift's own.
    The document of one commit and one binary is the same each time: its number comes from the binary, its time from the commit.
    """
    digest = hashlib.sha256(binary.read_bytes()).hexdigest()
    parts = [*swift_packages(), *([swift_runtime()] if archives else []), *(part for each in archives if (part := debian_package(each)))]
    # An archive that two libraries share is one part.
    parts = list({part["bom-ref"]: part for part in parts}.values())
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_OID, digest)}",
        "version": 1,
        "metadata": {
            "timestamp": datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).isoformat().replace("+00:00", "Z"),
            "component": {
                "type": "application", "bom-ref": "landfall", "name": "landfall", "version": version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
                "hashes": [{"alg": "SHA-256", "content": digest}],
                "properties": [{"name": "landfall:commit", "value": commit}],
            },
        },
        "components": parts,
        "dependencies": [{"ref": "landfall", "dependsOn": [part["bom-ref"] for part in parts]}],
    }


def swift_packages():
    """What the package manager chose for this build, from its own file."""
    for pin in json.loads((ROOT / "Server/Package.resolved").read_text())["pins"]:
        state, place = pin["state"], re.sub(r"^https://|\.git$", "", pin["location"])
        version = state.get("version") or state["revision"]
        yield part(
            pin["identity"], version, f"pkg:swift/{place}@{version}",
            externalReferences=[{"type": "vcs", "url": pin["location"]}],
            properties=[{"name": "git:revision", "value": state["revision"]}])


def swift_runtime():
    text = subprocess.run(["swift", "--version"], check=True, capture_output=True, text=True).stdout
    version = re.search(r"Swift version (\d+(?:\.\d+)+)", text)[1]
    return part("swift", version, f"pkg:github/swiftlang/swift@swift-{version}-RELEASE")


def debian_package(archive):
    """The package of Debian or Ubuntu that a library came from; None for one of our own."""
    # Through /lib, which leads to /usr/lib, and not: dpkg knows one of both.
    for path in (str(archive), str(pathlib.Path(archive).resolve())):
        found = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            name = found.stdout.split(":")[0]
            form = "${source:Package} ${source:Version} ${Architecture}"
            source, version, architecture = subprocess.run(
                ["dpkg-query", "-W", "-f", form, name], check=True, capture_output=True, text=True).stdout.split()[:3]
            system = dict(line.split("=", 1) for line in pathlib.Path("/etc/os-release").read_text().splitlines() if "=" in line)
            return part(source, version, f"pkg:deb/{system['ID']}/{source}@{version.replace('+', '%2B')}?arch={architecture}")
    return None


def part(name, version, address, **more):
    return {"type": "library", "bom-ref": address, "name": name, "version": version, "purl": address, **more}

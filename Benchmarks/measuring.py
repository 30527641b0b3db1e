# SPDX-License-Identifier: Apache-2.0
"""The shared parts of the benchmarks: servers on loopback that end with their block, and a load from wrk on the same machine."""
import contextlib, http.client, os, pathlib, re, secrets, socket, subprocess, sys, time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# After this folder: both have a file nodes.py.
sys.path.append(str(ROOT / "Tests/Acceptance"))
from ending import stop

TICKS = os.sysconf("SC_CLK_TCK")
API, SECRET = "api.example.com", "A" * 43
BRAND = "brandname.go.link"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
SERVER_KEY = "sk_" + secrets.token_hex(24)


def say(text):
    print(text, file=sys.stderr, flush=True)


def install(number):
    return f"0198f0c2-7b1a-7c3d-8e4f-{number:012x}"


def call(port, method, path, body=None, number=1, host=API, headers={}):
    """One call of the install with that number."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request(method, path, body, {"Authorization": "Bearer pk_demo", "Landfall-Profile": f"{install(number)}.{SECRET}", "Host": host, **headers})
    answer = connection.getresponse()
    text = answer.read()
    if answer.status >= 400:
        sys.exit(f"{method} {path} was answered {answer.status}: {text[:200]}")


def cpu_seconds(pid):
    """What a process has used so far."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def listening(command, **options):
    """A process that prints a line with its address: (port, process id)."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **options)
    try:
        # A new store's first line is the console's link.
        said = next((found for line in process.stdout if (found := re.search(r":(\d+)\s*$", line))), None)
        if not said:
            sys.exit(f"{command[0]} did not start; its reason is above.")
        yield int(said.group(1)), process.pid
    finally:
        stop(process)


@contextlib.contextmanager
def node(folder, binary, options=(), change=lambda yaml: yaml):
    """The server with the example's configuration and a server key, its store in `folder`: (port, process id)."""
    folder.mkdir(parents=True, exist_ok=True)
    yaml = (ROOT / "Examples/SelfHost/landfall.yaml").read_text()
    yaml = yaml.replace("keys:\n", "keys:\n  - serverFrom: LANDFALL_SERVER_KEY\n", 1)
    (folder / "landfall.yaml").write_text(change(yaml))
    environment = dict(os.environ, LANDFALL_SERVER_KEY=SERVER_KEY, LANDFALL_LOG_LEVEL="error", LANDFALL_DRAIN="0")
    command = [binary, "serve", "--config", folder / "landfall.yaml", "--data", folder / "data", "--port", "0", "--apple-ads", "http://127.0.0.1:9"]
    with listening([*command, *options], env=environment) as started:
        yield started


@contextlib.contextmanager
def landfall(folder, binary):
    with node(folder, binary) as (port, _):
        yield port


@contextlib.contextmanager
def nginx(folder, locations="location / { return 302 https://apps.apple.com/app/id1234567890; }", site=None):
    """nginx with as many workers as the server has threads; by default it answers 302 and stores nothing. `site` is a whole configuration of
    sites for the port that it is given."""
    folder.mkdir(parents=True, exist_ok=True)
    port = free_port()
    sites = site(port) if site else f"server {{ listen 127.0.0.1:{port}; {locations} }}"
    # If root starts nginx, its workers are another user by default, who may not read this folder.
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(f"""
        {user} worker_processes {os.cpu_count()}; daemon off; pid {folder}/pid; error_log {folder}/error.log;
        events {{ worker_connections 1024; }}
        http {{
          access_log off; client_body_temp_path {folder}; proxy_temp_path {folder}; fastcgi_temp_path {folder};
          uwsgi_temp_path {folder}; scgi_temp_path {folder}; keepalive_requests 1000000;
          {sites}
        }}""")
    process = subprocess.Popen(["nginx", "-c", folder / "nginx.conf", "-p", folder], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
                break
            time.sleep(0.05)
        yield port
    finally:
        stop(process)


def documented_nginx(folder, behind):
    """nginx with the documented file in front of that port, without TLS: wrk would measure its own encryption too."""
    text = (ROOT / "Examples/SelfHost/nginx.conf").read_text().partition("# Names that are not yours")[0]
    text = text.replace("127.0.0.1:8080", f"127.0.0.1:{behind}").replace("/var/log/nginx", str(folder))
    text = re.sub(r"(?m)^ *(ssl_\w+ |listen \[::\]).*\n", "", text)
    return nginx(folder, site=lambda port: text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};"))


def wrk(port, path, seconds, headers=(), script=None, expect=None):
    """The requests a second and the latencies of one run with 64 connections."""
    command = ["wrk", "-t1", "-c64", f"-d{seconds}s", "--latency"]
    for header in headers:
        command += ["-H", header]
    if script:
        command += ["-s", str(script)]
    out = subprocess.run(command + [f"http://127.0.0.1:{port}{path}"], capture_output=True, text=True, check=True).stdout
    if "Socket errors" in out or (expect is None and "Non-2xx" in out):
        sys.exit(f"Some calls failed, so there is no figure:\n{out}")
    unit = {"us": 1e-3, "ms": 1.0, "s": 1e3}
    def latency(share):
        value, kind = re.search(rf"\s{share}%\s+([\d.]+)(us|ms|s)", out).groups()
        return float(value) * unit[kind]
    return {"perSecond": float(re.search(r"Requests/sec:\s+([\d.]+)", out).group(1)), "p50Ms": latency(50), "p99Ms": latency(99)}

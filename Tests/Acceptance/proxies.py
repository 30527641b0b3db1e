# SPDX-License-Identifier: Apache-2.0
"""Proxies in front of a server: certificates, files for nginx and haproxy, and processes that end with `with`."""
import contextlib, os, socket, subprocess, time

from ending import stop
from server import documented


def certificate(folder, name, key, hosts, days):
    """Writes a self-signed certificate for these hosts, NAME.pem, and its key in the file KEY."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", str(days),
         "-subj", f"/CN={name}", "-addext", "subjectAltName=" + ",".join(f"DNS:{host}" for host in hosts),
         "-keyout", folder / key, "-out", folder / f"{name}.pem"], check=True, capture_output=True)


def nginx(folder, http):
    """Writes a file with this text inside `http`; the command that runs nginx with it in the foreground."""
    temporary = "\n".join(f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
    (folder / "nginx.conf").write_text(f"""
        daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
        events {{ worker_connections 256; }}
        http {{
            access_log off; {temporary}
            {http}
        }}
        """)
    return ["nginx", "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def haproxy(folder, port, nodes):
    """Writes the documented file for three nodes, with these ports; the command that runs haproxy with it."""
    changes = [("^    bind .*", f"    bind 127.0.0.1:{port}")]
    changes += [(f"10.0.0.1{number}:8080", f"127.0.0.1:{node}") for number, node in enumerate(nodes, 1)]
    (folder / "haproxy.cfg").write_text(documented("haproxy.cfg", changes))
    return ["haproxy", "-f", str(folder / "haproxy.cfg")]


@contextlib.contextmanager
def running(command, folder, ports, **account):
    """The proxy, once it listens on each of the ports."""
    # Caddy stores its last configuration in the user's folders.
    folders = {"XDG_CONFIG_HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with open(folder / "error.log", "a") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | folders, **account)
    try:
        end = time.monotonic() + 10
        for port in ports:
            while not accepts(port):
                if time.monotonic() > end:
                    raise RuntimeError(f"{command[0]} does not listen:\n" + (folder / "error.log").read_text())
                time.sleep(0.05)
        yield process
    finally:
        stop(process)


def accepts(port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False

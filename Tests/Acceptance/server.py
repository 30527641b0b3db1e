# SPDX-License-Identifier: Apache-2.0
"""The one way in which acceptance programs start the built server, ask it, and end it."""
import argparse, contextlib, http.client, json, os, pathlib, re, socket, subprocess, sys, time

from ending import ends_when_asked, stop

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLE = (ROOT / "Examples/SelfHost/landfall.yaml").read_text()
# Nothing listens there: no call for a token leaves this machine.
NO_APPLE = ("--apple-ads", "http://127.0.0.1:9")
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
)


class Arguments(argparse.ArgumentParser):
    """The options of a program. Each has --binary, which stands before LANDFALL_BINARY."""

    def __init__(self, text):
        program = pathlib.Path(sys.argv[0])
        name = f"script/check {program.stem}" if program.suffix else f"script/{program.name}"
        super().__init__(name, description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.add_argument("--binary", metavar="PATH", help="another landfall than the built one (LANDFALL_BINARY)")

    def parse_args(self):
        options = super().parse_args()
        ends_when_asked()
        if options.binary:
            # Processes that this program starts find it there.
            os.environ["LANDFALL_BINARY"] = options.binary
        return options


def built():
    """The `landfall` that is tested: the chosen one, or the one that this checkout has built."""
    chosen = os.environ.get("LANDFALL_BINARY")
    products = [pathlib.Path(chosen)] if chosen else [ROOT / "Server/.build" / kind / "landfall" for kind in ("release", "debug")]
    found = next((product for product in products if product.exists()), None)
    return found.absolute() if found else sys.exit(f"There is no {chosen}." if chosen else "Build the server first: script/build Server")


def documented(name, changes):
    """The text of a file of Examples/SelfHost with other values: each pattern has to be there."""
    text = (ROOT / "Examples/SelfHost" / name).read_text()
    for old, new in changes:
        text, count = re.subn(old, new, text, flags=re.MULTILINE)
        if not count:
            sys.exit(f"'{old}' is not in {name}; this program puts another value there.")
    return text


def free_ports(count):
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def phone(install, secret="A" * 43):
    """The fields of a call of a phone."""
    return {"Authorization": "Bearer pk_demo", "Landfall-Profile": f"{install}.{secret}", "Content-Type": "application/json"}


class Answer:
    def __init__(self, status, fields, body):
        self.status, self.fields, self.body = status, fields, body

    def json(self):
        return json.loads(self.body)

    def lines(self):
        """The documents of a stream."""
        return [json.loads(line) for line in self.body.splitlines() if line.strip()]

    @property
    def text(self):
        return self.body.decode()

    @property
    def code(self):
        with contextlib.suppress(ValueError, AttributeError):
            return self.json().get("error", {}).get("code", "")
        return ""

    def __str__(self):
        return f"{self.status} {self.code}".strip()


def ask(port, path, body=None, fields={}, host=None, method=None, at="127.0.0.1", seconds=20):
    """The answer to one request on a new connection. Redirects are not followed; a body that is no text is sent as JSON."""
    connection = http.client.HTTPConnection(at, port, timeout=seconds)
    try:
        data = body if body is None or isinstance(body, bytes) else body.encode() if isinstance(body, str) else json.dumps(body).encode()
        connection.request(method or ("GET" if body is None else "POST"), path, data, ({"Host": host} if host else {}) | fields)
        answer = connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


class Landfall:
    """A command of the built server that goes on until `with` ends. In `folder` are its standard output and its log, as files: nobody
    reads while it runs, and a pipe would become full. `limit` runs in the new process before the command does."""

    def __init__(self, folder, *arguments, environment={}, limit=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.output, self.log = self.folder / "output", self.folder / "log"
        with open(self.output, "w") as output, open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [built(), *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=log, env=os.environ | environment,
                preexec_fn=limit)
        self.port = self.base = None

    def wait_for(self, pattern, file=None, seconds=60):
        """The pattern's match in the output, or in that file, once it is there. None if the process ends before, or after that time."""
        end = time.monotonic() + seconds
        while True:
            ended = self.process.poll() is not None or time.monotonic() > end
            found = re.search(pattern, (file or self.output).read_text(errors="replace"), re.MULTILINE)
            if found or ended:
                return found
            time.sleep(0.02)

    def listens(self, **limits):
        """Whether it listens, and then its address."""
        if found := self.wait_for(r"^listening on (http://\S+:(\d+))\n", **limits):
            self.base, self.port = found[1], int(found[2])
        return found is not None

    def failure(self, sentence):
        """An error that shows the end of what the command wrote."""
        status = self.process.poll()
        lines = [line for file in (self.output, self.log) for line in file.read_text(errors="replace").splitlines()[-20:]]
        return RuntimeError("\n    ".join([f"{sentence} ({'it runs' if status is None else f'it ended with {status}'}). Its last lines:", *lines]))

    def ask(self, path, body=None, fields={}, **more):
        return ask(self.port, path, body, fields, **more)

    def stop(self, seconds=25):
        """Ends the process. Whether it did so itself in that time."""
        return stop(self.process, seconds)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


class Server(Landfall):
    """`landfall serve` with this configuration, its store in folder/data. Its port stays None if it refuses to start; `with` waits until
    it is ready."""

    def __init__(self, folder, configuration=EXAMPLE, *options, port=0, **more):
        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        self.configuration, self.data = folder / "landfall.yaml", folder / "data"
        self.configuration.write_text(configuration)
        super().__init__(
            folder, "serve", "--config", self.configuration, "--data", self.data, "--port", str(port), "--drain", "0", *options, **more)
        self.listens()

    def __enter__(self):
        end = time.monotonic() + 20
        while not self.port or self.ask("/readyz").status != 200:
            if not self.port or time.monotonic() > end:
                error = self.failure("The server is not ready" if self.port else "The server does not listen")
                self.stop()
                raise error
            time.sleep(0.05)
        return self


class Demo(Landfall):
    """`landfall demo`, from the line with `until` on. Its links by their names in the output: `console`, `link`."""

    def __init__(self, folder, *options, until="goes on until Ctrl-C", seconds=120):
        super().__init__(folder, "demo", *options)
        said = self.wait_for(until, seconds=seconds) is not None
        self.links = dict(re.findall(r"^ *(console|link): (\S+)", self.output.read_text(), re.MULTILINE))
        self.opened = said and self.listens(seconds=0) and "console" in self.links

    def __enter__(self):
        if not self.opened:
            error = self.failure("The demo does not come to the end of its opening")
            self.stop()
            raise error
        return self

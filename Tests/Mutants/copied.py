# SPDX-License-Identifier: Apache-2.0
"""The copy of the tree that has all planted errors: its files, its builds, and one run of its tests."""
import os, pathlib, re, shutil, signal, subprocess, sys, time

import planted

# These tests start processes or databases of their own.
HEAVY = re.compile(r"^(EndToEndTests|LandfallCommandTests|LandfallPostgresTests|LandfallSimulatorTests|VirtualWorldsTests)\.")
FAILED = re.compile(r"^[^\w\n]*(?:Test|Suite) (.+?) (?:recorded an issue|failed after)", re.M)


class Copy:
    def __init__(self, folder):
        self.folder = folder.resolve()
        self.logs = self.folder / ".build/logs"
        self.running = set()
        self.known = {}

    def write(self, mutants):
        """Files that are as they should be are left alone, so that a second build compiles what has changed."""
        if self.folder == planted.ROOT or self.folder in planted.ROOT.parents:
            sys.exit(f"{self.folder} is the tree itself. Name a folder of its own with --work.")
        listed = self.folder / ".planted"
        if self.folder.exists() and any(self.folder.iterdir()) and not listed.exists():
            sys.exit(f"{self.folder} is not empty, and no copy of this tree. Name another folder with --work.")
        changed = planted.applied(mutants)
        names = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=planted.ROOT, stdout=subprocess.PIPE, check=True)
        names = sorted({name for name in names.stdout.decode().split("\0") if name and os.path.lexists(planted.ROOT / name)} | changed.keys())
        # The packages that the tree has been built with.
        names += [name for name in ("Server/Package.resolved",) if (planted.ROOT / name).is_file()]
        before = set(listed.read_text().splitlines()) if listed.exists() else set()
        self.folder.mkdir(parents=True, exist_ok=True)
        listed.write_text("".join(f"{name}\n" for name in sorted(before | set(names))))
        for name in names:
            self.put(name, changed.get(name))
        for name in before - set(names):
            (self.folder / name).unlink(missing_ok=True)
        listed.write_text("".join(f"{name}\n" for name in names))

    def put(self, name, text):
        source, target = planted.ROOT / name, self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if text is None and source.is_symlink():
            if not target.is_symlink() or os.readlink(target) != os.readlink(source):
                target.unlink(missing_ok=True)
                target.symlink_to(os.readlink(source))
            return
        content = source.read_bytes() if text is None else text.encode()
        if not target.is_file() or target.is_symlink() or target.read_bytes() != content:
            target.unlink(missing_ok=True)
            target.write_bytes(content)
        if source.exists():
            shutil.copymode(source, target)

    def build(self, package):
        begun = time.monotonic()
        print(f"── Building {'the SDK' if package == '.' else 'the server'} with every error in it", file=sys.stderr, flush=True)
        done = subprocess.run(["script/build", package], cwd=self.folder, stdout=sys.stderr)
        if done.returncode:
            sys.exit(f"The copy does not build: {self.folder}. To repeat: cd {self.folder} && script/build {package}")
        print(f"   {time.monotonic() - begun:.0f} s", file=sys.stderr, flush=True)

    def products(self, package):
        configuration = "release" if package == "Server" else "debug"
        shown = subprocess.run(
            ["swift", "build", "--package-path", package, "-c", configuration, "--show-bin-path"], cwd=self.folder, stdout=subprocess.PIPE,
            text=True, check=True, env=os.environ | {"LANDFALL_TESTABLE": "1", "LANDFALL_STRICT": "1"})
        return pathlib.Path(shown.stdout.strip())

    def tests(self, package, suites, chosen, limit):
        """Runs the suites with this error, none if it is empty."""
        bundle = next(self.products_of(package).glob("*PackageTests.xctest"), None)
        if bundle is None or bundle.is_dir():
            sys.exit("There is no test bundle that can be run by itself. On macOS there is none: run this on Linux.")
        pattern = "|".join(rf"^{suite.replace('.', '[.](.*/)?', 1)}/" for suite in suites)
        width = 2 if any(HEAVY.match(suite) for suite in suites) else 4
        return self.run(
            [bundle, "--testing-library", "swift-testing", "--filter", pattern, "--experimental-maximum-parallelization-width", str(width)],
            chosen, limit, package)

    @property
    def virtual(self):
        return self.products_of("Server") / "landfall-virtual"

    def has_worlds(self):
        return self.virtual.exists()

    def worlds(self, options, chosen, limit):
        return self.run([self.virtual, "--workers", "1", *options.split()], chosen, limit, "worlds")

    def products_of(self, package):
        if package not in self.known:
            self.known[package] = self.products(package)
        return self.known[package]

    def end(self, *processes):
        """Ends these runs, or all, with what they have started."""
        for process in processes or tuple(self.running):
            self.running.discard(process)
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()

    def run(self, command, chosen, limit, kind):
        """How it ended: the seconds, and why it failed; None if it did not."""
        self.logs.mkdir(parents=True, exist_ok=True)
        log = self.logs / f"{chosen or 'none'}-{kind.strip('.') or 'sdk'}.log"
        begun = time.monotonic()
        with log.open("w") as output:
            process = subprocess.Popen(
                command, cwd=self.folder, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, start_new_session=True,
                env=os.environ | {"LANDFALL_MUTANT": chosen, "NO_COLOR": "1"})
            self.running.add(process)
            try:
                status = process.wait(timeout=limit)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                self.end(process)
        seconds = time.monotonic() - begun
        if status == 0:
            return seconds, None
        if status is None:
            return seconds, f"no end within {limit:.0f} s"
        found = FAILED.search(log.read_text(errors="replace"))
        if found:
            return seconds, found[1][:160]
        return seconds, f"ended by signal {-status}" if status < 0 else f"ended with {status}, see {log}"

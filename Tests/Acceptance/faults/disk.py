# SPDX-License-Identifier: Apache-2.0
"""What a power cut leaves on a disk, from the record that disk.c writes: synced bytes and names for sure, of the rest whatever chance keeps."""
import bisect, os, pathlib, shutil, struct, subprocess, sys

from processes import NotTried

HEAD = struct.Struct("=QQQQ")
# A disk writes whole sectors: of 512 bytes, or of 4 KiB.
SECTORS = (512, 4096)


def library(folder, source):
    """Of a file beside, for LD_PRELOAD."""
    built = pathlib.Path(folder) / source.replace(".c", ".so")
    if sys.platform != "linux" or not shutil.which("cc"):
        raise NotTried("a disk or a clock of a process's own needs Linux and a C compiler")
    if not built.exists():
        source = pathlib.Path(__file__).parent / "libraries" / source
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", built, source, "-lpthread"], check=True)
    return str(built)


class Disk:
    """Below `root`, for processes with this `environment`. `record`: whether power cuts are to be made."""

    def __init__(self, folder, root, record=True):
        self.root, self.record = pathlib.Path(root), pathlib.Path(folder) / "disk-record" if record else None
        self.lever = pathlib.Path(folder) / "disk-switch"
        self.set(b"WW")
        self.environment = {"LD_PRELOAD": library(folder, "disk.c"), "DISK_ROOT": str(root), "DISK_SWITCH": str(self.lever)}
        if record:
            self.record.touch()
            self.environment["DISK_RECORD"] = str(self.record)

    def set(self, state):
        """See disk.c; `b"WW"` is a disk that works. The file is written in place: processes have it mapped."""
        with open(self.lever, "r+b" if self.lever.exists() else "wb") as file:
            file.write(state)

    def place(self):
        """Everything that was done until now is before this place of the record."""
        return os.stat(self.record).st_size if self.record else 0


class File:
    def __init__(self, content=b""):
        self.synced, self.pending = bytearray(content), []


def write(content, place, data):
    if len(content) < place:
        content.extend(bytes(place - len(content)))
    content[place:place + len(data)] = data


def change(content, kind, place, data):
    if kind == "W":
        write(content, place, data)
    elif place < len(content):
        del content[place:]
    else:
        content.extend(bytes(place - len(content)))


class Platter:
    """Reads a record from its beginning, entry by entry. Names are relative to `root`."""

    def __init__(self, root, record):
        self.root, self.data, self.at, self.number = str(root), memoryview(pathlib.Path(record).read_bytes()), 0, 0
        self.files, self.seen, self.durable, self.pending, self.begun = {}, {}, {}, [], {}
        # An inode's number is used again: each file has a number of its own.
        self.folders, self.ids, self.syncs = {}, {}, 0
        # Whether the sync of a new file syncs its name too, as Linux's file systems do and nobody promises.
        self.syncs_names = False

    def load(self, folder):
        """What is below the root, durably, before the record begins."""
        for path in sorted(folder.rglob("*")):
            inode, name = path.lstat().st_ino, self.relative(path)
            if path.is_dir() and not path.is_symlink():
                self.folders[inode] = self.durable[name] = name
            elif path.is_file():
                self.ids[inode] = self.durable[name] = -inode
                self.files[-inode] = File(path.read_bytes())
        self.seen = dict(self.durable)

    def places(self):
        """Where each entry ends."""
        ends, at = [], 0
        while at + HEAD.size <= len(self.data):
            at += HEAD.size + HEAD.unpack_from(self.data, at)[3]
            ends.append(at)
        return ends

    def forward(self, end):
        while self.at < end:
            kind, inode, place, length = HEAD.unpack_from(self.data, self.at)
            data = self.data[self.at + HEAD.size:self.at + HEAD.size + length]
            self.at += HEAD.size + length
            self.number += 1
            self.take(chr(kind), inode, place, data)

    def relative(self, path):
        return os.path.relpath(path, self.root)

    def take(self, kind, inode, place, data):
        if kind in "WT":
            self.files.setdefault(self.ids.setdefault(inode, -inode), File()).pending.append((self.number, kind, place, data))
        elif kind == "C":
            self.ids[inode] = self.number
            self.files[self.number] = File()
            self.names(("add", self.relative(bytes(data).decode()), self.number))
        elif kind == "M":
            path = self.relative(bytes(data).decode())
            self.folders[inode] = path
            self.names(("folder", path, path))
        elif kind == "U":
            self.names(("remove", self.relative(bytes(data).decode()), None))
        elif kind in "RL":
            old, new = (self.relative(each) for each in bytes(data).decode().split("\0"))
            self.names(("move" if kind == "R" else "add", new, self.seen.get(old), old))
        elif kind == "B":
            self.begun[place] = self.number
        elif kind == "E" and place in self.begun:
            self.synced(inode, self.begun.pop(place))

    def names(self, entry):
        self.pending.append((self.number, entry))
        self.rename(self.seen, entry)

    @staticmethod
    def rename(names, entry):
        kind, path, inode = entry[:3]
        if kind in ("add", "folder"):
            names[path] = inode
        elif kind == "move":
            names.pop(entry[3], None)
            names[path] = inode
        else:
            names.pop(path, None)

    def synced(self, inode, before):
        self.syncs += 1
        if (folder := self.folders.get(inode)) is not None:
            rest = []
            for number, entry in self.pending:
                if number < before and os.path.dirname(entry[1]) in (folder, "" if folder == "." else folder):
                    self.rename(self.durable, entry)
                else:
                    rest.append((number, entry))
            self.pending = rest
        elif file := self.files.get(self.ids.get(inode)):
            for entry in file.pending:
                if entry[0] < before:
                    change(file.synced, *entry[1:])
            file.pending = [entry for entry in file.pending if entry[0] >= before]
            if self.syncs_names:
                own = [each for each in self.pending if each[1][0] == "add" and each[1][2] == self.ids[inode]]
                self.pending = [each for each in self.pending if each not in own]
                for _, entry in own:
                    self.rename(self.durable, entry)

    def image(self, folder, dice):
        """What is left, in a new folder: of what was not synced a share, drawn, and of a write any of its sectors."""
        share, sector = dice.choice((0, 0, 0.1, 0.5, 0.9, 1)), dice.choice(SECTORS)
        names = dict(self.durable)
        for _, entry in self.pending:
            if dice.random() < share:
                self.rename(names, entry)
        folder.mkdir(parents=True)
        for path, id in sorted(names.items()):
            if path == id:
                (folder / path).mkdir(exist_ok=True, mode=0o700)
            elif id in self.files and (folder / path).parent.is_dir():
                (folder / path).write_bytes(self.left(self.files[id], share, sector, dice))
                (folder / path).chmod(0o600)

    @staticmethod
    def left(file, share, sector, dice):
        content = bytearray(file.synced)
        for _, kind, place, data in file.pending:
            if kind == "T":
                if dice.random() < share:
                    change(content, kind, place, data)
                continue
            end = place + len(data)
            while place < end:
                stop = min(end, (place // sector + 1) * sector)
                if dice.random() < share:
                    write(content, place, data[len(data) - (end - place):len(data) - (end - stop)])
                place = stop
        return content

    def whole(self):
        """Every file as processes see it now, by its name: what the record knows has to be what the disk has."""
        contents = {}
        for path, id in self.seen.items():
            if id in self.files:
                content = bytearray(self.files[id].synced)
                for _, *entry in self.files[id].pending:
                    change(content, *entry)
                contents[path] = bytes(content)
        return contents


def start(platter, folder):
    """The root itself is there, durably, with the inode that it has."""
    platter.folders[os.stat(folder).st_ino] = "."


def entry_at(places, place):
    """The end of the first entry that ends at that place or later."""
    return places[min(len(places) - 1, bisect.bisect_left(places, place))]

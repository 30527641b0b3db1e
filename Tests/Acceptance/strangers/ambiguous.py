# SPDX-License-Identifier: Apache-2.0
"""Requests that two readers of one connection may understand differently, and their only strict reading.

Each text ends where a reader that follows RFC 9112 begins the next request, or where it refuses to read on. What a careless reader would
take for a request of its own is a HEAD for n=hidden: no other text asks so.
"""
import random

HOST = "brandname.go.link"
# A computer's browser, which a link leads on; programs get a page.
BROWSER = "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0\r\n"
HIDDEN = f"HEAD /beach?n=hidden HTTP/1.1\r\nHost: {HOST}\r\n{BROWSER}\r\n"
# The strict reading of a text: the request is answered and the next one begins behind the text, it is refused and the connection ends,
# or it is answered and the connection ends.
ONE, REFUSED, LAST, UNKNOWN = "one", "refused", "last", "not found, and the next one is read"
CHUNKED = "Transfer-Encoding: chunked\r\n"
HIDDEN_CHUNK = f"{len(HIDDEN):x}\r\n{HIDDEN}\r\n0\r\n\r\n"


def head(fields="", line="GET /beach?n=1 HTTP/1.1", host=f"Host: {HOST}\r\n"):
    return f"{line}\r\n{host}{BROWSER}{fields}\r\n"


def length(count=len(HIDDEN)):
    return f"Content-Length: {count}\r\n"


def framing(line):
    """The length of a body, said in more than one way."""
    def of(fields):
        return head(fields, line)
    yield "a plain length", ONE, of(length()) + HIDDEN
    yield "plain chunks", ONE, of(CHUNKED) + HIDDEN_CHUNK
    yield "a length of nothing, and more behind it", ONE, of(length(0))
    yield "length and chunks: the length is right", REFUSED, of(length() + CHUNKED) + HIDDEN
    yield "chunks and length: the chunks are right", REFUSED, of(CHUNKED + length(4)) + HIDDEN_CHUNK
    yield "chunks that end at once, and a length over what follows", REFUSED, of(CHUNKED + length(len(HIDDEN) + 5)) + "0\r\n\r\n" + HIDDEN
    yield "two different lengths", REFUSED, of(length(0) + length()) + HIDDEN
    yield "two lengths, the first one longer", REFUSED, of(length() + length(0)) + HIDDEN
    yield "a list of lengths", REFUSED, of(f"Content-Length: {len(HIDDEN)}, 0\r\n") + HIDDEN
    for name, text in {
        "a sign before it": f"+{len(HIDDEN)}", "a minus": "-1", "hexadecimal": f"0x{len(HIDDEN):x}", "a fraction": f"{len(HIDDEN)}.0", "an exponent": "1e2",
        "an underscore": "1_0", "a space inside": "1 0", "no digit": "", "more than 64 bits": "1" + "0" * 30, "other digits": "\u0661\u0660",
        "one more than a number of 64 bits": "18446744073709551616", "a zero byte": "0\0", "a quote": f'"{len(HIDDEN)}"', "a semicolon": f"{len(HIDDEN)};",
    }.items():
        yield f"a length with {name}", REFUSED, of(f"Content-Length: {text}\r\n") + HIDDEN
    for name, text in {
        "unknown": "xchunked", "not the last": "chunked, identity", "twice": "chunked, chunked", "in quotes": '"chunked"', "with a zero byte": "chunked\0",
        "with a letter behind": "chunkedd", "of nothing": "", "with a vertical tab": "\x0bchunked", "without its list": ", ,", "identity": "identity",
    }.items():
        yield f"a coding {name}", REFUSED, of(f"Transfer-Encoding: {text}\r\n{length(len(HIDDEN))}") + HIDDEN
    for name, field in {
        "a space before the colon": "Transfer-Encoding : chunked\r\n", "a tab before the colon": "Transfer-Encoding\t: chunked\r\n",
        "a space at the beginning of its line": " Transfer-Encoding: chunked\r\n", "a folded line": "Transfer-Encoding:\r\n chunked\r\n",
        "a zero byte in its name": "Transfer-Encoding\0: chunked\r\n", "a CR alone in it": "Transfer-Encoding: \rchunked\r\n",
        "a CR alone before it": "X: y\rTransfer-Encoding: chunked\r\n", "no colon": "Transfer-Encoding chunked\r\n",
        "a letter of another script": "Tran\u017ffer-Encoding: chunked\r\n", "a line without a name before it": ": x\r\nTransfer-Encoding: chunked\r\n",
    }.items():
        yield f"a coding with {name}", REFUSED, of(field + length()) + HIDDEN


def chunks(line):
    def of(*parts):
        return head(CHUNKED, line) + "".join(parts)
    hidden = f"\r\n{HIDDEN}\r\n0\r\n\r\n"
    yield "chunks with capital digits", ONE, of("A\r\n0123456789\r\n0\r\n\r\n")
    yield "chunks with a leading zero", ONE, of("00A\r\n0123456789\r\n0\r\n\r\n")
    yield "chunks with a trailer", ONE, of("0\r\nX-Trailer: 1\r\n\r\n")
    yield "a chunk with an extension", ONE, of(f"{len(HIDDEN):x};name=value", hidden)
    for name, size in {
        "a sign": "+5", "0x": "0x5", "a space inside": "5 5", "more than 64 bits": "1" + "0" * 17, "no size": "", "a letter that is no digit": "g", "an underscore": "5_0",
    }.items():
        yield f"a chunk with {name}", REFUSED, of(f"{size}\r\n{'x' * 5}\r\n0\r\n\r\n")
    yield "a chunk longer than its size", REFUSED, of("3\r\nabcdef\r\n0\r\n\r\n")
    yield "a chunk without its end of line", REFUSED, of(f"3\r\nabc0\r\n\r\n{HIDDEN}")
    yield "an extension with LF alone", REFUSED, of("5;a\nb\r\nabcde\r\n0\r\n\r\n")
    yield "a size with LF alone", REFUSED, of("5\nabcde\r\n0\r\n\r\n")
    yield "a chunk that ends with LF alone", REFUSED, of("5\r\nabcde\n0\r\n\r\n")


def heads():
    """The line of the request, the host, and the ends of lines."""
    target = "/beach?n=1"
    yield "two hosts", REFUSED, head("Host: api.example.com\r\n")
    yield "one host twice", REFUSED, head(f"Host: {HOST}\r\n")
    yield "no host", REFUSED, head(host="")
    yield "a list of hosts", UNKNOWN, head(host=f"Host: {HOST}, api.example.com\r\n")
    yield "a folded host", REFUSED, head(host=f"Host:\r\n {HOST}\r\n")
    yield "a space before the colon of the host", REFUSED, head(host=f"Host : {HOST}\r\n")
    yield "a first line with a space before it", REFUSED, head(line=f"GET {target} HTTP/1.1\r\n X: y")
    yield "LF alone behind the first line", REFUSED, f"GET {target} HTTP/1.1\nHost: {HOST}\r\n\r\n"
    yield "LF alone behind a field", REFUSED, f"GET {target} HTTP/1.1\r\nHost: {HOST}\nX: y\r\n\r\n"
    yield "LF alone everywhere", REFUSED, f"GET {target} HTTP/1.1\nHost: {HOST}\n\n"
    yield "CR alone as an end of line", REFUSED, f"GET {target} HTTP/1.1\rHost: {HOST}\r\r"
    yield "CR CR LF", REFUSED, f"GET {target} HTTP/1.1\r\nHost: {HOST}\r\r\n\r\n"
    yield "a zero byte in a value", REFUSED, head("X: a\0b\r\n")
    yield "a zero byte in the target", REFUSED, head(line="GET /beach?n=1\0 HTTP/1.1")
    yield "a tab in the first line", REFUSED, head(line=f"GET\t{target}\tHTTP/1.1")
    # RFC 9112, 3: a reader may take any white space between two words for one space.
    yield "two spaces in the first line", ONE, head(line=f"GET  {target} HTTP/1.1")
    yield "a space behind the version", REFUSED, head(line=f"GET {target} HTTP/1.1 ")
    yield "a space in the target", REFUSED, head(line="GET /beach?n=1 x HTTP/1.1")
    for version in ("HTTP/1.2", "HTTP/2.0", "HTTP/0.9", "HTTP/11", "HTTP/1", "http/1.1", "HTTP/1.1x", "HTTPS/1.1", "ICE/1.0"):
        yield f"the version {version}", REFUSED, head(line=f"GET {target} {version}")
    yield "no version", REFUSED, f"GET {target}\r\n\r\n"
    yield "HTTP/1.0 with chunks", REFUSED, head(CHUNKED, f"GET {target} HTTP/1.0") + HIDDEN_CHUNK
    yield "HTTP/1.0 that stays open", LAST, head("Connection: keep-alive\r\n", f"GET {target} HTTP/1.0")
    yield "a last request, and one behind it", LAST, head("Connection: close\r\n") + HIDDEN
    yield "close among other words", LAST, head("Connection: keep-alive, close\r\n") + HIDDEN
    yield "an upgrade", LAST, head("Connection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n") + HIDDEN
    yield "the preface of HTTP/2", REFUSED, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    yield "a tunnel", "no tunnel", f"CONNECT {HOST}:443 HTTP/1.1\r\nHost: {HOST}\r\n\r\n" + HIDDEN
    yield "a whole address", ONE, head(line=f"GET http://{HOST}{target} HTTP/1.1")
    yield "a whole address of another host", ONE, head(line=f"GET http://{HOST}{target} HTTP/1.1", host="Host: api.example.com\r\n")
    yield "an address with a user", REFUSED, head(line=f"GET http://user@{HOST}{target} HTTP/1.1")
    yield "an address of another scheme", REFUSED, head(line=f"GET gopher://{HOST}{target} HTTP/1.1")
    yield "a target without a slash", REFUSED, head(line="GET summer-clothes?n=1 HTTP/1.1")
    yield "an empty line before a request", ONE, "\r\n" + head()
    yield "a method in small letters", REFUSED, head(line=f"get {target} HTTP/1.1")
    yield "a method that is none", REFUSED, head(line=f"GE(T {target} HTTP/1.1")
    yield "a field without a colon", REFUSED, head("X\r\n")
    yield "a field with a space in its name", REFUSED, head("X Y: z\r\n")
    yield "a folded field", REFUSED, head("X: a\r\n b\r\n")
    yield "a hop of the proxy", ONE, head("Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n")
    yield "a hop that names the length", ONE, head(f"Connection: Content-Length\r\n{length()}") + HIDDEN
    yield "Expect, and a body at once", ONE, head(f"Expect: 100-continue\r\n{length()}", "GET /beach?n=1 HTTP/1.1") + HIDDEN
    yield "an unknown expectation", ONE, head(f"Expect: 200-ok\r\n{length()}") + HIDDEN


def corpus():
    """(name, strict reading, bytes) of each."""
    for kind, line in (("GET", "GET /beach?n=1 HTTP/1.1"), ("POST", "POST /beach?n=1 HTTP/1.1")):
        for name, reading, text in [*framing(line), *chunks(line)]:
            yield f"{kind}, {name}", reading, text.encode("utf-8")
    for name, reading, text in heads():
        yield name, reading, text.encode("utf-8")


PIECES = ["\r\n", "\n", "\r", "\0", " ", "\t", ":", ",", ";", "chunked", "0\r\n\r\n", "Content-Length: 0\r\n", CHUNKED, "Host: x\r\n", "\r\n ", "HTTP/1.1", "\x0b", "\x7f", "\x80"]


def mutations(seed, count):
    """(name, bytes) of changed texts of the corpus: nobody knows their strict reading, but two readers must have the same one."""
    dice, texts = random.Random(seed), [text for _, _, text in corpus()]
    for number in range(count):
        text = bytearray(dice.choice(texts))
        for _ in range(dice.randint(1, 3)):
            place = dice.randrange(len(text))
            way = dice.randrange(4)
            if way == 0:
                text[place:place] = dice.choice(PIECES).encode("latin1")
            elif way == 1:
                del text[place:place + dice.randint(1, 3)]
            elif way == 2:
                text[place] = dice.randrange(256)
            else:
                # A line twice, or at another place.
                lines = bytes(text).split(b"\r\n")
                lines.insert(dice.randrange(len(lines)), dice.choice(lines))
                text = bytearray(b"\r\n".join(lines))
        yield f"mutation {number} of seed {seed}", bytes(text)

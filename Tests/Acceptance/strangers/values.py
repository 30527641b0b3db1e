# SPDX-License-Identifier: Apache-2.0
"""Hostile values: numbers, texts, JSON, YAML, tables, signed texts and addresses, each made by a dice, so that a seed repeats them."""
import base64, hashlib, hmac, json, urllib.parse

NUMBERS = [
    "-1", "0.5", "-0", "1e999", "-1e999", "1e-999", "NaN", "Infinity", "01", "+1", "0x10", "1e2", "1E+02", "9007199254740993", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "18446744073709551616", "1" + "0" * 400, "0." + "1" * 400, "1" + "0" * 30 + "e-30", "1.", ".5", "1_000",
]
# As they stand between quotes of JSON.
TEXTS = [
    "", " ", "\\ud800", "\\udc00\\ud800", "\\ud83d\\ude00", "\\u0000", "a\\u0000", "\\u00", "\\x41", "\0", "a\nb", "e\u0301", "\u212aate", "\u202eabc", "\ufeffx",
    "x" * 513, "x" * 5_000, "\u0301" * 400, "\U0001f1e9" * 300, "..", "../../etc/passwd", "%00", "%2e%2e%2f", "' OR 1=1 --", "\\\"; DROP TABLE install; --", "${jndi:ldap://x}",
    "{{7*7}}", "<script>struck(1)</script>", "javascript:struck(1)", "\\r\\nSet-Cookie: a=b", "s_0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10", "true", "null", "-1", "2026-02-30T25:61:61Z",
    "https://u:p@h\\u0000.example/?a=b#c", "//evil.example", "http://[::1", "http://169.254.169.254/", "\u2028", "a" * 64 + ".example", "\ud7ff", "\U0010ffff",
]
RAW = [b'"\xc3("', b'"\xff\xfe"', b'"\xed\xa0\x80"', b'"\xc0\x80"', b'"\xf5\x80\x80\x80"', b"\x00", b"\x1b[", b'"\xe2\x80\xa8"']
YAML = [
    "&a [*a]", "*nobody", "!!python/object:os.system x", "!!binary aGVsbG8=", "!!float .nan", ".inf", "0o17", "0b1", "1:30:00", "~", "yes", "<<: *a", "? [a]\n: b", "- - - - a",
    "|\n  a\n b", ">-\n  x", "\"\\x41\\u0000\"", "'it''s'", "{a: b, a: c}", "[1, 2", "\tb", "@at", "`tick", "%YAML 9.9\n---", "---\n---", "...\n", "2026-02-30", "\ufeffa: 1", "key: : value", "\u0085",
]


def number(dice):
    return dice.choice(NUMBERS)


def word(dice):
    """A text that has no quotes of its own."""
    return dice.choice(TEXTS)


def node(dice):
    """The bytes of one value of JSON, or of none."""
    kind = dice.randrange(20)
    if kind < 7:
        return f'"{word(dice)}"'.encode("utf-8", "surrogatepass")
    if kind < 12:
        return number(dice).encode()
    if kind == 12:
        return dice.choice(RAW)
    if kind == 13:
        depth = dice.choice([10, 511, 513, 3_000])
        return b"[" * depth + b"]" * depth
    if kind == 14:
        depth = dice.choice([10, 513, 2_000])
        return b'{"a":' * depth + b"1" + b"}" * depth
    if kind == 15:
        return b'{"value":1,"value":"two","va\\u006cue":null}'
    if kind == 16:
        return b"[" + b"1," * dice.choice([3, 200, 5_000]) + b"1]"
    if kind == 17:
        return ("{" + ",".join(f'"k{n}":{n}' for n in range(dice.choice([3, 70, 1_000]))) + "}").encode()
    return dice.choice([b"null", b"true", b"[]", b"{}", b'""', b"[null,null]", b'{"":""}'])


HERE = "0here0"


def replaced(dice, value):
    """The value with a mark in place of one node of it, or with a key more or less."""
    if isinstance(value, dict) and value and dice.randrange(5):
        key, changed = dice.choice(sorted(value)), dict(value)
        way = dice.randrange(7)
        if way == 0:
            del changed[key]
        elif way == 1:
            changed[key + dice.choice(["\u0301", "\0", " ", "a" * 300, key])] = HERE
        else:
            changed[key] = replaced(dice, value[key])
        return changed
    if isinstance(value, list) and value and dice.randrange(5):
        place, changed = dice.randrange(len(value)), list(value)
        changed[place] = replaced(dice, value[place])
        return changed
    return HERE


def document(dice, template):
    """A body that was right before one of its values, keys or bytes was changed."""
    text = json.dumps(replaced(dice, template), ensure_ascii=False).encode("utf-8", "surrogatepass")
    text = text.replace(f'"{HERE}"'.encode(), node(dice), 1)
    way = dice.randrange(14)
    if way == 0:
        return text[:dice.randrange(len(text) + 1)]
    if way == 1:
        return text + dice.choice([b"}", b"]", b"\0", b" {}", b"//", b","])
    if way == 2:
        return b"\xef\xbb\xbf" + text
    if way == 3:
        return text.decode("utf-8", "replace").encode("utf-16")
    if way == 4 and text:
        changed = bytearray(text)
        changed[dice.randrange(len(changed))] = dice.randrange(256)
        return bytes(changed)
    if way == 5:
        return dice.choice([b" ", b"\n", b"\t", b"\f"]) * dice.choice([1, 1_000]) + text
    return text


def yaml(dice, text):
    """A configuration in which lines went, came twice, or have other values."""
    lines = text.split("\n")
    for _ in range(dice.randint(1, 4)):
        place = dice.randrange(len(lines))
        way = dice.randrange(7)
        if way == 0:
            del lines[place]
        elif way == 1:
            lines.insert(place, lines[dice.randrange(len(lines))])
        elif way == 2:
            lines[place] = " " * dice.randrange(6) + lines[place]
        elif way == 3:
            lines[place] = lines[place].split(":")[0] + ": " + dice.choice(YAML)
        elif way == 4:
            lines[place] = lines[place].split(":")[0] + ": " + dice.choice([*NUMBERS, *[f'"{text}"' for text in TEXTS]])
        elif way == 5:
            lines.insert(place, dice.choice(YAML))
        else:
            depth = dice.choice([20, 600])
            lines[place] = lines[place].split(":")[0] + ": " + "[" * depth + "]" * dice.choice([depth, 0])
        lines = lines or [""]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


def table(dice):
    """A file of links, for the import."""
    columns = [dice.choice(["to", "campaign", "suffix", "label", "expires", "ios", "code", "domain", "To", " to ", "", "zz", "to"]) for _ in range(dice.randint(1, 6))]
    separator = dice.choice([",", ";", "\t", ","])
    cells = ["https://example.com/a", "example://x", "\"a,b\"", "\"a\"\"b\"", "\"open", "a\"b", "", "=1+1", "@SUM(1)", "31 December 2026 6:00 pm", "2026-02-30", *TEXTS]
    rows = [separator.join(dice.choice(cells) for _ in range(max(0, len(columns) + dice.choice([0, 0, 0, -1, 1, 30])))) for _ in range(dice.choice([1, 3, 20]))]
    return dice.choice(["", "\ufeff", "sep=;\n"]) + dice.choice(["\n", "\r\n", "\r"]).join([separator.join(columns), *rows])


def part(value):
    text = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(text).decode().rstrip("=")


def signed(dice, payload, secret="x"):
    """A signed text: header, payload or signature may be of another form."""
    algorithm = dice.choice(["HS256", "none", "None", "ES256", "RS256", "HS512", "", None, 256, ["HS256"]])
    header = {"alg": algorithm, "typ": "JWT"}
    extra = {
        "kid": dice.choice(["a", "../../dev/null", "", 1, "\u0301" * 40]), "crit": dice.choice([["exp"], [], "exp", ["b64"]]), "b64": False,
        "x5c": dice.choice([["MIIB"], [], ["!"], "MIIB", ["MIIB"] * 200, ["A" * 6_000] * 3, [""] * 3]), "jku": "http://169.254.169.254/", "jwk": {"kty": "oct", "k": "eA"}, "n": 1e300, "zip": "DEF",
    }
    for name in dice.sample(sorted(extra), dice.randrange(3)):
        header[name] = extra[name]
    first = part(document(dice, header) if dice.randrange(3) == 0 else header)
    second = part(document(dice, payload) if dice.randrange(2) else payload)
    text = f"{first}.{second}"
    third = part(hmac.new(secret.encode(), text.encode(), hashlib.sha256).digest()) if algorithm == "HS256" else dice.choice(["", "AA", "A" * 86, "!", "A" * 5_000])
    whole = f"{text}.{third}"
    way = dice.randrange(10)
    if way == 0:
        return whole.replace(".", dice.choice(["", "..", "\u2024", ". "]), 1)
    if way == 1:
        return whole[:dice.randrange(len(whole))]
    if way == 2:
        place = dice.randrange(len(whole))
        return whole[:place] + dice.choice("=+/ .\u0301") + whole[place + 1:]
    return whole


def target(dice, paths):
    """A path and query, of characters that a first line may have."""
    path = dice.choice(paths)
    way = dice.randrange(8)
    if way == 0:
        path += dice.choice(["/", "//", "/..", "/.", "%2f", "%00", "%", "%zz", "%c3%28", "%ed%a0%80", "\\", ";a", "%25%30%30", "a" * 3_000, "/a" * 400, "%cc%81" * 40])
    elif way == 1:
        place = dice.randrange(len(path))
        path = path[:place] + dice.choice(["%2e", "%61", "//", "*", "~", "'", "|", "{", "%F4%90%80%80"]) + path[place + 1:]
    if dice.randrange(3):
        names = ["n", "lf_token", "lf_t", "adj_t", "lf_label", "lf_redirect", "lf_deep_link", "utm_source", "from", "to", "by", "cursor", "limit", "zone", "profile", "install",
                 "waitMilliseconds", "audience", "locale", "q", "id", "url", "size", "page", "epoch", "version", "gclid", "a" * 300]
        values = [*NUMBERS[:19], "2026-01-01", "0000-00-00", "9999-12-31", "1", "", "%", "%00", "%c3%28", "?", "https%3A%2F%2Fexample.com", "javascript%3Astruck(1)", "a" * 2_000,
                  "Europe%2FBerlin", "..%2F..", "%E2%80%AE", "%F0%9F%87%A9" * 60, "=" * 50, "&" * 50, "+" * 50]
        path += "?" + "&".join(f"{dice.choice(names)}{dice.choice(['=', '=', '=', '', '=='])}{dice.choice(values)}" for _ in range(dice.choice([1, 2, 5, 60])))
    # Nothing that would break the line itself: script/check smuggling has that.
    return urllib.parse.quote(path, safe="/?&=%+:;,.-_~!*'()#[]@$|{}\\\"<>^`")[:7_000]

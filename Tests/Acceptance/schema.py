#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares docs/landfall.schema.json, which editors use, with `landfall check`, over right and wrong files.

Both must give the same verdict on a table of files, by PyPI's jsonschema. For the schemas of paywalls, both must give the same verdict on
random schemas and remote configs. script/check schema [--binary PATH]
"""
import concurrent.futures, json, os, pathlib, random, subprocess, sys, tempfile

import packages
from claims import Claims
from server import EXAMPLE, ROOT, Arguments, built

Arguments(__doc__).parse_args()
try:
    import jsonschema, yaml
except ImportError:
    if not packages.enter("schema-tools", ["jsonschema==4.26.0", "PyYAML==6.0.3"]):
        print("PyPI cannot be reached: the schema is not checked on this machine.")
        sys.exit(0)
    import jsonschema, yaml


class Loader(yaml.SafeLoader):
    """Reads scalars by the rules of YAML 1.2, as editors do: `NO` is Norway, and a date is a text."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in [
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^[-+]?[0-9]+$", list("-+0123456789")),
    ("float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", list("-+.0123456789")),
]:
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, __import__("re").compile(pattern), first)

BASE = {
    "app": "{ id: sample, bundleId: com.example.sample, scheme: sample, teamId: ABCDE12345 }",
    "keys": "[{ sdk: pk_sample }]",
    "domains": "{ brand: [go.example.com], universal: [example.com] }",
    "attributes": "{ plan: string, sessions: number, invited: boolean, ends: date }",
    "segments": "{ english: { locale: { is: en } } }",
    "paywalls": "{ default: { products: [yearly] } }",
    "audiences": "{ ads: { attribution.source: { is: apple_search_ads } } }",
    "placements": "{ home: [{ audience: ads, paywall: default }, { audience: everyone, paywall: default }] }",
}
SIX_DOTS = ":".join(["0A"] * 32)
# A section with its text, and whether that is right.
TABLE = [
    ("app", "{ id: a, bundleId: b }", True), ("app", "{ bundleId: b }", False), ("app", "{ id: a }", False),
    ("app", "{ id: '', bundleId: b }", False), ("app", "{ id: a b, bundleId: b }", False), ("app", "{ id: ~, bundleId: b }", False),
    ("app", "{ id: a, bundleId: com.example_x }", False), ("app", "{ id: a, bundleId: b, teamID: ABCDE12345 }", False),
    ("app", "{ id: a, bundleId: b, teamId: abcde12345 }", False), ("app", "{ id: a, bundleId: b, teamId: 1234567890 }", True),
    ("app", "{ id: a, bundleId: b, scheme: 'a://' }", False), ("app", "{ id: a, bundleId: b, scheme: https }", False),
    ("app", "{ id: a, bundleId: b, scheme: httpsx }", True), ("app", "{ id: a, bundleId: b, scheme: }", True),
    ("app", "{ id: a, bundleId: b, appStoreId: 1234567890 }", True), ("app", "{ id: a, bundleId: b, appStoreId: x }", False),
    ("app", "{ id: a, bundleId: b, appStoreProvider: 12 }", True), ("app", "{ id: a, bundleId: b, appStoreProvider: 1.5 }", False),
    ("app", "{ id: a, bundleId: b, name: 1.10 }", True), ("app", "{ id: a, bundleId: b, name: [x] }", False),
    ("app", "{ id: a, bundleId: b, android: { package: com.example } }", True),
    ("app", "{ id: a, bundleId: b, android: { package: example } }", False),
    ("app", "{ id: a, bundleId: b, android: {} }", False),
    ("app", f"{{ id: a, bundleId: b, android: {{ package: a.b, certificates: ['{SIX_DOTS}'] }} }}", True),
    ("app", "{ id: a, bundleId: b, android: { package: a.b, certificates: ['0A:0B'] } }", False),
    ("app", "{ id: a, bundleId: b, association: { apps: [ABCDE12345.com.example], exclude: [/x/*], caseSensitive: false } }", True),
    ("app", "{ id: a, bundleId: b, association: { apps: [com.example] } }", False),
    ("app", "{ id: a, bundleId: b, association: { appClips: [ABCDE12345.com.example.Clip] } }", True),
    ("app", "{ id: a, bundleId: b, association: { appClips: [com.example.Clip] } }", False),
    ("app", "{ id: a, bundleId: b, association: { exclude: [x] } }", False),
    ("app", "{ id: a, bundleId: b, association: { caseSensitive: 'false' } }", False),
    ("app", "[]", False), ("app", "text", False), ("app", None, False),
    ("keys", "[]", False), ("keys", "{}", False), ("keys", None, False), ("keys", "[{ sdk: sk_x }]", False),
    ("keys", "[{ sdk: pk_x, environment: development, expires: 2027-01-31 }]", True),
    ("keys", "[{ sdk: pk_x, expires: 2027-01-31T12:00:00Z }]", True), ("keys", "[{ sdk: pk_x, expires: tomorrow }]", False),
    ("keys", "[{ sdk: pk_x, environment: staging }]", False), ("keys", "[{ sdk: pk_x, may: [links] }]", False),
    ("keys", "[{ sdk: pk_x }, { serverFrom: LANDFALL_SERVER_KEY, may: [links, erase], expires: 2027-01-31 }]", True),
    ("keys", "[{ sdk: pk_x }, { serverFrom: PATH }]", False), ("keys", "[{ serverFrom: LANDFALL_SERVER_KEY }]", False),
    ("keys", "[{ sdk: pk_x }, { serverFrom: LANDFALL_SERVER_KEY, may: [] }]", False),
    ("keys", "[{ sdk: pk_x }, { serverFrom: LANDFALL_SERVER_KEY, may: [everything] }]", False),
    ("identity", "{ keys: [{ algorithm: HS256, secretFrom: LANDFALL_IDENTITY_SECRET }] }", True),
    ("identity", "{ keys: [{ algorithm: HS256, publicKey: x }] }", False), ("identity", "{ keys: [{ algorithm: ES256 }] }", False),
    ("identity", "{ keys: [{ algorithm: none, secretFrom: LANDFALL_IDENTITY_SECRET }] }", False), ("identity", "{}", False),
    ("domains", "{ brand: [{ host: go.example.com, paths: [/p/*, /q] }], universal: [], api: [api.example.com] }", True),
    ("domains", "{ brand: [https://go.example.com] }", False), ("domains", "{ brand: [localhost] }", False),
    ("domains", "{ brand: [{ host: go.example.com, path: /x }] }", False), ("domains", "{ brand: [{ paths: [/x] }] }", False),
    ("domains", "{ brand: [{ host: go.example.com, paths: [/a/../b] }] }", False), ("domains", "{ web: [] }", False),
    ("domains", "{ api: [-a.example.com] }", False), ("domains", None, True), ("domains", "{ brand: [bücher.example] }", True), ("domains", "{ brand: [bücher] }", False),
    ("domains", "{ brand: [{ host: go.example.com, ios: [app, store], android: page, desktop: web }] }", True),
    ("domains", "{ brand: [{ host: go.example.com, ios: [browser] }] }", False),
    ("domains", "{ brand: [{ host: go.example.com, page: { icon: B, colour: '#0a7cff', sentence: Everything for the sea } }] }", True),
    ("domains", "{ brand: [{ host: go.example.com, page: { colour: '06f', sentence: { ja: a, en: b } } }] }", True),
    ("domains", "{ brand: [{ host: go.example.com, page: { icon: 'data:image/png;base64,iVBORw0KGgo=' } }] }", True),
    ("domains", "{ brand: [{ host: go.example.com, page: { icon: 'https://example.com/icon.png' } }] }", False),
    ("domains", "{ brand: [{ host: go.example.com, page: { icon: 'data:image/svg+xml;base64,PHN2Zy8+' } }] }", False),
    ("domains", "{ brand: [{ host: go.example.com, page: { colour: blue } }] }", False),
    ("domains", "{ brand: [{ host: go.example.com, page: { image: a } }] }", False),
    ("domains", "{ brand: [{ host: go.example.com, suffixes: ignoreCase, ppid: 45812c9b-c296, pt: 123456, ct: mail }] }", True),
    ("domains", "{ brand: [{ host: go.example.com, suffixes: lower }] }", False), ("domains", "{ brand: [{ host: go.example.com, pt: x1 }] }", False),
    ("domains", "{ old: [{ host: a.go.link, until: 2027-06-30, paths: [/p/*] }] }", True), ("domains", "{ old: ~ }", True),
    ("domains", "{ old: [{ host: a.go.link }] }", False), ("domains", "{ old: [a.go.link] }", False),
    ("domains", "{ old: [{ host: a.go.link, until: soon }] }", False),
    ("linkPages", "{ language: ja, preview: { title: T, locales: { ja: { title: T } } }, texts: { ja: { app: A, web: 'W {app}' } } }", True),
    ("linkTemplates", "{ mail: { campaign: mail, ios: [app, store], preview: { title: T }, code: true, when: [{ country: [DE], to: sample://de }], tags: [a] } }", True),
    ("linkTemplates", None, True), ("linkTemplates", "{ mail: { to: sample://x } }", False), ("linkTemplates", "{ mail: ~ }", False),
    ("linkTemplates", "{ 'a b': {} }", False), ("linkTemplates", "[]", False), ("linkTemplates", "{ mail: { expires: 2027-01-31 } }", False),
    ("linkPages", "{}", True), ("linkPages", None, True), ("linkPages", "[]", False), ("linkPages", "{ texts: { ja: ~ } }", False),
    ("linkPages", "{ texts: { ja: { web: ~ } } }", True), ("linkPages", "{ texts: { ja: { web: '{name}' } } }", False),
    ("linkPages", "{ texts: { j: {} } }", False), ("linkPages", "{ preview: { locales: { ja: { image: http://a.example/ } } } }", False),
    ("linkPages", "{ preview: { locales: { ja: ~ } } }", False), ("linkPages", "{ texts: { ja: { webb: x } } }", False),
    ("attributes", "{ plan: string, sessions: number, invited: boolean }", True), ("attributes", "{ plan: text }", False),
    ("attributes", "{ 'a b': string }", False),
    ("paywalls", "{ default: {} }", True), ("paywalls", "{ default: { product: [x] } }", False),
    ("paywalls", "{ default: { products: [x, x] } }", False), ("paywalls", "{ default: { products: x } }", False),
    ("paywalls", "{ default: { products: ['', y] } }", False), ("paywalls", "{ 'a b': {}, default: {} }", False),
    ("paywalls", "{ default: { remoteConfig: { en: { a: 1 } } } }", True), ("paywalls", "{ default: { remoteConfig: { e: 1 } } }", False),
    ("paywalls", "{ default: { remoteConfig: { zh-Hant-TW: [1], pt_BR: null }, defaultLocale: pt-br } }", True),
    ("paywalls", "{ default: { remoteConfig: [] } }", False),
    ("paywalls", "{ default: { schema: { type: object, required: [a], properties: { a: { type: [integer, 'null'] } } } } }", True),
    ("paywalls", "{ default: { schema: { pattern: x } } }", False), ("paywalls", "{ default: { schema: { type: text } } }", False),
    ("paywalls", "{ default: { schema: { minLength: -1 } } }", False), ("paywalls", "{ default: { schema: { enum: [] } } }", False),
    ("paywalls", "{ default: { schema: true } }", True), ("paywalls", "{ default: { schema: { $ref: other.json } } }", False),
    ("paywalls", "{ default: { schema: { items: { maxItems: x } } } }", False), ("paywalls", "{ default: { schema: { minimum: '1' } } }", False),
    ("paywalls", "[]", False), ("paywalls", None, False),
    ("audiences", "{ ads: { city: { is: Rome } } }", False), ("audiences", "{ ads: {} }", False), ("audiences", "{ ads: { country: US } }", False),
    ("audiences", "{ ads: { country: { is: US } }, everyone: { country: { is: US } } }", False),
    ("audiences", "{ ads: { all: [] } }", False), ("audiences", "{ ads: { any: [{ country: { is: US } }], not: { country: { is: CA } } } }", True),
    ("placements", "{ home: [] }", False), ("placements", "{ home: [{ audience: ads, paywall: default }] }", False),
    ("placements", "{ home: [{ audience: everyone }] }", False), ("placements", "{ home: { audience: everyone, paywall: default } }", False),
    ("placements", "{ home: [{ audience: everyone, paywall: default, x: 1 }] }", False), ("placements", None, False),
    ("links", "[{ url: https://go.example.com/a, to: https://example.com/b }]", True), ("links", None, True), ("links", "{}", False),
    ("links", "[{ url: https://go.example.com/a }]", False), ("links", "[{ url: go.example.com/a, to: https://example.com }]", False),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, ios: [app, store], android: store, desktop: https://example.com/x }]", True),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, ios: [browser] }]", False),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, pasteboard: yes }]", False),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, preview: { title: T, image: http://example.com/x.png } }]", False),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, preview: { title: T, image: https://example.com/x.png }, code: true }]", True),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, expires: 2027-13 }]", False),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, starts: 2027-01-31, ppid: 45812c9b-c296, pt: 123456, ct: 'May, 2027' }]", True),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, tags: [spring, mail], folder: 2027 }]", True),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, when: [{ country: [DE, NO], platform: [ios], to: sample://y }] }]", True),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, when: [{ country: [DEU], to: sample://y }] }]", False),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, when: [{ platform: [web], to: sample://y }] }]", False),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, when: [{ country: [DE] }] }]", False),
    ("links", "[{ url: https://go.example.com/a, to: sample://x, ct: a^b }]", False), ("links", "[{ url: https://go.example.com/a, to: sample://x, tags: ['a,b'] }]", False),
    ("deferredLinks", "{ byAddress: true, windowMinutes: 10 }", True), ("deferredLinks", "{ windowMinutes: 9 }", False),
    ("attribution", "{ clickWindowDays: 30, reattributionAfterDays: 0 }", True), ("attribution", "{ clickWindowDays: 31 }", False),
    ("attribution", "{ clickWindowDays: 1.5 }", False), ("appleAds", "{ enabled: false }", True), ("appleAds", "{ enabled: 0 }", False),
    ("webhooks", "[{ url: https://a.example/x, secretFrom: LANDFALL_WEBHOOK_SECRET, types: [first_open, access.changed] }]", True),
    ("webhooks", "[{ url: 'http://127.0.0.1:9/x', secretFrom: LANDFALL_WEBHOOK_SECRET, previousSecretFrom: LANDFALL_WEBHOOK_SECRET, types: [link.clicked] }]", True),
    ("webhooks", "[{ url: http://a.example/x, secretFrom: LANDFALL_WEBHOOK_SECRET, types: [first_open] }]", False), ("webhooks", "{}", False),
    ("webhooks", "[{ url: https://a.example/x, secretFrom: LANDFALL_WEBHOOK_SECRET, types: [] }]", False), ("webhooks", None, True),
    ("webhooks", "[{ url: https://a.example/x, secretFrom: LANDFALL_WEBHOOK_SECRET, types: [opened] }]", False), ("webhooks", "[]", True),
    ("webhooks", "[{ url: https://a.example/x, types: [first_open] }]", False),
    ("exports", "{ to: s3://files/landfall, tables: [clicks], format: csv, hour: 23 }", True), ("exports", "{ to: s3://files }", True),
    ("exports", "{ to: exports }", False), ("exports", "{ tables: [clicks] }", False), ("exports", "{ to: s3://files, tables: [taps] }", False),
    ("exports", "{ to: s3://files, tables: [] }", False), ("exports", "{ to: s3://files, hour: 24 }", False),
    ("alerts", "{ rules: { disk: { limit: 20, minutes: 5 }, backup: false }, destinations: {} }", True), ("alerts", "{ rules: { dsik: false } }", False),
    ("alerts", "{ destinations: { a: {} } }", False), ("alerts", "{ rules: { disk: { limit: 0 } } }", False),
    ("signIn", "{ openId: { issuer: https://login.example.com, clientId: landfall, domains: [example.com], roles: { all: owner } } }", True),
    ("signIn", "{ openId: { issuer: http://login.example.com, clientId: landfall, domains: [example.com] } }", False),
    ("signIn", "{ openId: { issuer: https://login.example.com, clientId: landfall, domains: [] } }", False),
    ("accessLevels", "[premium, teams]", True), ("accessLevels", "[premium, premium]", False), ("accessLevels", "[pre mium]", False),
    ("accessLevels", "premium", False), ("products", "{ yearly: { access: [] }, coins: }", True), ("products", "{ 'a b': }", False),
    ("products", "{ 'sim.*': , 'sim.trial=7d&fail=1': }", True), ("products", "{ 'year*': }", False),
    ("products", "{ season: { access: [], duration: 90d } }", True), ("products", "{ season: { duration: 90 } }", False),
    ("products", "{ yearly: { level: premium } }", False), ("purchases", "{ sandbox: testers, owner: keep, graceDays: 16 }", True),
    ("purchases", "{ sandbox: no }", False), ("purchases", "{ owner: take }", False), ("purchases", "{ graceDays: 0 }", False),
    ("purchases", "{ graceDays: 61 }", False), ("purchases", "{ currency: usd }", False), ("purchases", "{ curency: USD }", False),
    ("purchases", "{ currency: USD, rates: { 2026-11-01: { EUR: '1.0850', JPY: 0.0066 } } }", True),
    ("purchases", "{ currency: USD, rates: { 2026-11-01: { EUR: '0.00' } } }", False),
    ("purchases", "{ currency: USD, rates: { 2026-11-01: { EUR: '1,08' } } }", False),
    ("purchases", "{ currency: USD, rates: { 2026-11-01: { EUR: '1.0123456789' } } }", False),
    ("purchases", "{ currency: USD, rates: { November: { EUR: '1.08' } } }", False), ("purchases", "{ tax: { DEU: '0.19', JPN: 0.1 } }", True),
    ("purchases", "{ tax: { DEU: '1.19' } }", False), ("purchases", "{ tax: { DE: '0.19' } }", False),
    ("purchases", "{ commission: [{ from: 2026-01-01, usual: '0.30', afterYear: '0.15' }, { from: 2026-10-01, storefronts: [DEU], usual: 0.26 }] }", True),
    ("purchases", "{ commission: [{ from: 2026-01-01 }] }", False), ("purchases", "{ commission: [{ from: today, usual: '0.30' }] }", False),
    ("purchases", "{ commission: [{ from: 2026-01-01, storefronts: [], usual: '0.30' }] }", False),
    ("purchases", "{ notify: 'https://example.com/hook' }", True), ("purchases", "{ notify: 'http://example.com/hook' }", False),
    ("retention", "{ clickDays: 30, eventDays: 3650, installDays: 90 }", True), ("retention", "{ clickDays: 29 }", False),
    ("retention", "{ installDays: 89 }", False), ("retention", "{ days: 400 }", False), ("paywall", "{}", False),
]
# The rules for each value: right rules, then wrong rules.
CONDITIONS = {
    True: [
        "attribution.campaign: { is: 542370539 }", "attribution.campaign: { isNot: a, exists: true }", "attribution.source: { in: [link] }",
        "attribution.adSet: { notIn: [a, 1, true], exists: false }", "link.channel: { startsWith: a, endsWith: [b, c], contains: [d] }",
        "link.code: { is: go.example.com/beach }", "link.code: { contains: beach }", "attribution.sources: { anyOf: link, noneOf: [a, b], exists: true }",
        "attribution.sources: { allOf: [link, a] }", "attribution.status: { is: notAttributed }", "attribution.status: { in: [pending, unavailable] }",
        "attribution.test: { is: true }", "attribution.test: { isNot: false, exists: true }", "attribution.country: { is: us }",
        "country: { in: [US, NO] }", "country: { notIn: [DE], exists: true }", "language: { is: en }", "language: { in: [zh, haw] }",
        "locale: { is: zh-Hant }", "locale: { in: [pt_BR, en] }", "locale: { isNot: en, exists: true }", "platform: { is: ios }",
        "device.class: { in: [phone, Tablet] }", "device.model: { startsWith: iPhone16 }", "app.version: { is: 2.10 }", "app.version: { in: [1, 1.2.3.4] }",
        "app.version: { '>=': 2.0, <: 3.0.0-beta.1+5 }", "os.version: { between: [17, 17.4.1] }", "os.version: { '>': 18, <=: '26' }",
        "install.date: { within: 7d }", "install.date: { olderThan: 30m, <: '2026-11-22T09:30:00Z' }", "install.lastSeen: { exists: true }",
        "link.date: { between: ['2026-11-22T09:30:00Z', '2026-11-22T10:30:00.25+00:00'] }", "link.date: { '>=': 2026-11-22T09:30:00+01:00 }",
        "testDevice: { is: true }", "attributes.plan: { is: pro }", "attributes.plan: { contains: [a] }", "attributes.sessions: { '>': 5, <=: 7.5 }",
        "attributes.sessions: { in: [1, 2] }", "attributes.sessions: { between: [-1, 1] }", "attributes.invited: { is: true }",
        "attributes.ends: { within: 2w }", "attributes.ends: { '>': '2026-11-22 09:30:00z', exists: true }",
        "share: { of: calm, to: 10% }", "share: { of: calm, from: 12.5%, to: 100 % }", "share: { of: 1, from: , to: 0.0001% }",
        "segment: english", "not: { segment: english }", "all: [{ country: { is: US } }, { any: [{ platform: { is: ios } }] }]",
    ],
    False: [
        # Operators that do not exist, or not for this value.
        "country: { equals: US }", "country: { contains: U }", "country: { <: US }", "language: { startsWith: e }", "platform: { endsWith: s }",
        "attribution.status: { contains: a }", "attribution.sources: { is: link }", "attribution.sources: { in: [link] }",
        "attribution.campaign: { anyOf: [a] }", "attribution.campaign: { between: [a, b] }", "attribution.test: { in: [true] }",
        "testDevice: { notIn: [true] }", "app.version: { contains: 2 }", "app.version: { within: 7d }", "install.date: { is: '2026-11-22T09:30:00Z' }",
        "install.date: { in: ['2026-11-22T09:30:00Z'] }", "locale: { contains: en }", "device.class: { startsWith: p }", "country: { matches: 'U.*' }",
        "attributes.plan: { regex: a }", "country: {}", "country: [US]", "country: ", "Country: { is: US }", "attributes: { is: a }",
        # Values of another type or form.
        "country: { is: [US] }", "country: { is: }", "country: { is: '' }", "country: { is: USA }", "country: { is: U1 }", "country: { is: 12 }",
        "country: { in: US }", "country: { in: [] }", "country: { notIn: [] }", "country: { in: [[US]] }", "country: { in: [US, ~] }",
        "country: { exists: 1 }", "country: { exists: 'true' }", "country: { exists: }", "country: { exists: [true] }",
        "attribution.status: { is: Attributed }", "attribution.status: { in: [attributed, none] }", "attribution.test: { is: 'true' }",
        "attribution.test: { is: 1 }", "attribution.sources: { anyOf: [] }", "attribution.sources: { allOf: { a: 1 } }", "testDevice: { is: maya }",
        "language: { is: en-US }", "language: { is: e }", "locale: { is: e }", "locale: { in: [en, e*] }", "locale: { is: 1 }", "device.class: { is: fridge }",
        "link.channel: { startsWith: [] }", "link.channel: { contains: { a: 1 } }", "link.channel: { endsWith: [''] }",
        "app.version: { is: latest }", "app.version: { in: [2.0, v2] }", "app.version: { '>': [2] }", "app.version: { between: [1, 2, 3] }",
        "app.version: { between: [1] }", "app.version: { between: 1 }", "app.version: { is: 1.2.3.4.5 }", "app.version: { is: -1 }",
        "install.date: { <: 2026-11-22 }", "install.date: { <: '2026-11-22T09:30:00' }", "install.date: { <: '2026-13-22T09:30:00Z' }",
        "install.date: { <: '2026-11-22T24:00:00Z' }", "install.date: { <: '2026-11-22T09:60:00Z' }", "install.date: { <: '2026-11-22T09:30Z' }",
        "install.date: { within: 7 }", "install.date: { within: 0d }", "install.date: { within: 7y }", "install.date: { olderThan: [7d] }",
        "install.date: { between: ['2026-11-22T09:30:00Z'] }", "share: 10%", "share: { to: 10% }", "share: { of: a }", "share: { of: a, to: 10 }",
        "share: { of: a, to: 101% }", "share: { of: a, to: 0.00001% }", "share: { of: a b, to: 10% }", "share: { of: a, to: 10%, salt: b }",
        "segment: [english]", "segment: ", "all: { country: { is: US } }", "any: []", "not: []", "not: {}", "any: [{}]",
        "attributes.sessions: { '>': many }", "attributes.sessions: { between: [1] }", "attributes.invited: { is: [true] }",
        "attributes.ends: { within: 7 }", "attributes.plan: { in: [] }",
    ],
}
TABLE += [("audiences", f"{{ ads: {{ {rule} }} }}", right) for right, rules in CONDITIONS.items() for rule in rules]
# Mistakes that only a reader of the whole file can find: the schema accepts them, `landfall check` refuses them.
ONLY_READ = [
    ("placements", "{ home: [{ audience: nobody, paywall: default }, { audience: everyone, paywall: default }] }"),
    ("placements", "{ home: [{ audience: everyone, paywall: default }, { audience: ads, paywall: default }] }"),
    ("paywalls", "{ default: { remoteConfig: { en: 1, de: 2 } } }"), ("paywalls", "{ default: { remoteConfig: { en: 1, EN: 2 } } }"),
    ("paywalls", "{ default: { schema: { $ref: '#/$defs/x' } } }"), ("audiences", "{ ads: { attributes.city: { is: Rome } } }"),
    ("audiences", "{ ads: { attributes.plan: { '>': 5 } } }"), ("audiences", "{ ads: { attributes.sessions: { is: five } } }"),
    ("audiences", "{ ads: { attributes.sessions: { is: '5' } } }"), ("audiences", "{ ads: { app.version: { between: [2, 1] } } }"),
    ("audiences", "{ ads: { install.date: { <: '2026-02-30T00:00:00Z' } } }"), ("audiences", "{ ads: { install.date: { within: 999999999w } } }"),
    ("audiences", "{ ads: { share: { of: a, from: 20%, to: 10% } } }"), ("audiences", "{ ads: { segment: french } }"),
    ("audiences", "{ ads: { attribution.source: { is: AppleAds } } }"), ("audiences", "{ ads: { link.code: { is: beach } } }"),
    ("paywalls", "{ default: { schema: { type: object }, remoteConfig: { en: 1 } } }"),
    ("links", "[{ url: https://other.example/a, to: https://example.com/b }]"),
    ("domains", "{ brand: [a.example.com, a.example.com] }"),
    ("domains", "{ brand: [a.example.com], old: [{ host: a.example.com, until: 2027-06-30 }] }"),
    ("linkPages", "{ texts: { it: { web: Sito } } }"), ("linkPages", "{ language: it }"),
]
claims = Claims()


def text(section=None, content=None):
    sections = BASE | ({section: content} if section else {})
    return "".join(f"{name}: {'' if value is None else value}\n" for name, value in sections.items())


def reader_takes(folder, number, yaml_text):
    file = folder / f"{number}.yaml"
    file.write_text(yaml_text)
    secrets = {"LANDFALL_SERVER_KEY": "sk_" + "0" * 48, "LANDFALL_IDENTITY_SECRET": "0" * 40, "LANDFALL_WEBHOOK_SECRET": "whsec_" + "A" * 44}
    done = subprocess.run([built(), "check", file], capture_output=True, text=True, env=os.environ | secrets)
    return done.returncode == 0, done.stdout + done.stderr


def drawn_value(draw, depth=0):
    kind = draw.randrange(9 if depth < 3 else 6)
    if kind == 6:
        return [drawn_value(draw, depth + 1) for _ in range(draw.randrange(4))]
    if kind > 6:
        return {name: drawn_value(draw, depth + 1) for name in draw.sample(["a", "b", "c", "é"], draw.randrange(4))}
    return draw.choice([None, True, False, 0, 1, 2, -1, 5, 10**15, 0.5, 1.0, 2.0, 1e20, "", "a", "ab", "abc", "é", "1", "true"])


def drawn_schema(draw, depth=0):
    if depth and draw.random() < 0.1:
        return draw.choice([True, False])
    types = ["null", "boolean", "object", "array", "number", "integer", "string"]
    choices = {
        "type": lambda: draw.choice(types) if draw.random() < 0.5 else draw.sample(types, 2),
        "enum": lambda: [drawn_value(draw, 2) for _ in range(3)], "const": lambda: drawn_value(draw, 2),
        "minimum": lambda: draw.choice([0, 1, 0.5]), "maximum": lambda: draw.choice([1, 2, 1.5]),
        "minLength": lambda: 1, "maxLength": lambda: 1, "minItems": lambda: 1, "maxItems": lambda: 1,
        "required": lambda: draw.sample(["a", "b", "c"], 1), "$ref": lambda: draw.choice(["#/$defs/x", "#/$defs/y"]),
    }
    if depth < 3:
        choices |= {
            "properties": lambda: {name: drawn_schema(draw, depth + 1) for name in draw.sample(["a", "b", "c", "é"], 2)},
            "additionalProperties": lambda: drawn_schema(draw, depth + 1), "items": lambda: drawn_schema(draw, depth + 1),
        }
    schema = {name: make() for name, make in choices.items() if draw.random() < 0.2}
    if depth == 0:
        schema["$defs"] = {name: drawn_schema(draw, 2) for name in "xy"}
        for definition in schema["$defs"].values():
            if isinstance(definition, dict):
                definition.pop("$ref", None)
    return schema


def check(claim, expected, verdict, said=""):
    if expected != verdict:
        claims.deny(f"{claim}: expected {'right' if expected else 'wrong'}.\n    {said.strip()[:500]}")


schema = json.loads((ROOT / "docs/landfall.schema.json").read_text())
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)


def schema_takes(yaml_text):
    error = next(iter(validator.iter_errors(yaml.load(yaml_text, Loader))), None)
    return error is None, "" if error is None else f"{error.json_path}: {error.message}"


files = [(f"{section}: {content}", text(section, content), right, right) for section, content, right in TABLE]
files += [(f"{section}: {content}", text(section, content), False, True) for section, content in ONLY_READ]
files += [("The base of the table", text(), True, True)]
files += [("Examples/SelfHost/landfall.yaml", EXAMPLE, True, True)]
draw = random.Random(2020_12)
for _ in range(150):
    one, value = drawn_schema(draw), drawn_value(draw)
    content = f"{{ default: {json.dumps({'schema': one, 'remoteConfig': {'en': value}}, ensure_ascii=False)} }}"
    files.append((content, text("paywalls", content), jsonschema.Draft202012Validator(one).is_valid(value), True))

with tempfile.TemporaryDirectory(prefix="landfall-schema-") as name, concurrent.futures.ThreadPoolExecutor(2) as pool:
    folder = pathlib.Path(name)
    read = pool.map(lambda item: reader_takes(folder, item[0], item[1][1]), enumerate(files))
    for (claim, yaml_text, by_reader, by_schema), (verdict, said) in zip(files, read):
        check(f"landfall check: {claim}", by_reader, verdict, said)
        check(f"the schema: {claim}", by_schema, *schema_takes(yaml_text))

claims.end(f"{len(files)} files get the expected verdict from docs/landfall.schema.json and from landfall check.")

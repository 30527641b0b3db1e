// SPDX-License-Identifier: Apache-2.0
import Foundation
import JWTKit
import LandfallConsole
import LandfallPurchases
import LandfallRules
import LandfallServer
import LandfallWire

/// A list of every parser of untrusted text or files. A test doubles the input of each parser and fails if the time more than
/// doubles; `LandfallBenchmarks parsers` prints the time for each byte.
///
/// Add a new parser here, with the text that is hardest for it.
package enum Parsers {
    package static let all: [ParserCost] = links + clients + bodies + files + forms

    private static let domains = LinkDomains(brand: ["go.example.com"], universal: ["example.com"], schemes: ["example"])
    private static let start = "https://go.example.com/x?"
    private static let longestLink = LinkAddress.longest

    /// Links, as browsers and phones send them.
    private static let links: [ParserCost] = [
        link("link: '?' before text that is not a parameter", start + "z", repeating: "?a!=1") { try $0.queryItems() },
        link("link: '?' before parameters", start + "z", repeating: "?a=1") { try $0.queryItems() },
        link("link: '?' in an address", start + "z=h://h", repeating: "?a=1") { try $0.queryItems() },
        link("link: colons", start + "z=", repeating: ":/?") { try $0.queryItems() },
        link("link: percent-encoding", start, repeating: "%61%3D=%C3%A9&") { try $0.queryItems() },
        link("link: segments", "https://go.example.com", repeating: "/%61") { try $0.segments() },
        link("link: credentials", start, repeating: "a=1&%43ode?") { $0.carriesCredential },
        link("link: tracking parameters", start, repeating: "lf_a%CC%96%CC%80=1&ADJ_b=2?adjust_c=3&") {
            try LinkParameters($0)
        },
        link("link: combining marks in a name", start + "lf_", repeating: "%CC%96%CC%80", "=1") { try LinkParameters($0) },
        link("link: destination", start, repeating: "a=1&lf_b=2?adj_c=3&") { try Destination($0, in: domains) },
        link("link: tracking in a fragment", start + "#r", repeating: "?a=1&adj_t=2?") { try Destination($0, in: domains) },
        link("link: query of the visitor", start, repeating: "a%20=1&") {
            try FollowedLink.merged("https://example.com/x?b=1", with: $0)
        },
        link("link: ways on", start + "lf_t=a", repeating: "&lf_a=1?b=2") { address in
            let link = try FollowedLink(address, path: LinkPath(address), decision: .tracked, domains: domains)
            return LinkOpening(link, LinkVisitor("iPhone"), app, domains)
        },
        link("pattern: stars", "https://go.example.com/", repeating: "a") { [stars].match($0) },
        link("pattern: slashes", "https://go.example.com", repeating: "/a") { [PathPattern("/*/a/?/*/b")].match($0) },
        ParserCost("host: labels", repeating: "a.", "b:80") { try LinkAddress.webHost($0) },
        ParserCost("host: colons", repeating: ":1") { try LinkAddress.webHost($0) },
        ParserCost("token of a link: groups", longest: 4096, "a", repeating: " - ", "b") {
            DeferredLinkRequest.token(from: $0)
        },
        ParserCost("search among links: the beginning of what is wanted, again and again", longest: longestLink, repeating: "a") { text in
            LinkSearch(String(repeating: "a", count: text.utf8.count / 2) + "b").occurs(in: text)
        },
    ]

    /// The client's values in a request's head.
    private static let clients: [ParserCost] = [
        ParserCost("accepted languages", repeating: "a-b;q=0.1,;,*") { AcceptedLanguages($0) },
        ParserCost("user agent: words", repeating: "crawcurcubomessengerforio") { LinkVisitor($0) },
        ParserCost("user agent: signs of programs", repeating: "a@a-bot_compatible;  1.comu ") { LinkVisitor($0) },
        ParserCost("user agent: one word of many", repeating: "aaaaaaa") {
            AgentWords(["aaaaaaab", "aaaaaac"]).occur(in: Array($0.utf8))
        },
        ParserCost("head: combining marks in a field or target", longest: 32 * 1024, repeating: "\u{316}\u{300}%CC%96%CC%80") {
            CombiningMarks.areFew(percentEncoded: $0)
        },
        ParserCost("head: fields", longest: PlainHead.longest, "GET / HTTP/1.1\r\n", repeating: "X-\(String(repeating: "a", count: 123)): b\r\n", "\r\n") {
            var text = $0
            return text.withUTF8 { PlainHead.read(UnsafeRawBufferPointer($0)) }
        },
        ParserCost("purpose", repeating: "prefetc") { LinkVisitor.isAhead($0) },
        ParserCost("forwarded for: trusted proxies", repeating: "10.0.0.1, ", "10.0.0.1") { client(forwarded: $0) },
        ParserCost("forwarded for: commas", repeating: ",") { client(forwarded: $0) },
        ParserCost("forwarded for: spaces", repeating: " ", "x") { client(forwarded: $0) },
        ParserCost("credential", repeating: "a.") { Credential(header: $0) },
        ParserCost("locale", longest: LocaleCode.longest, "en", repeating: "-x") { LocaleCode(deviceLocale: $0) },
        ParserCost("version", longest: 64, "1-", repeating: "1.") { SemanticVersion($0) },
        ParserCost("identity token", longest: Limits.identityToken, "eyJhbGciOiJub25lIn0.", repeating: "e30") {
            try DefaultJWTParser().parse([UInt8]($0.utf8), as: AnyClaims.self)
        },
        ParserCost("identity token: dots", longest: Limits.identityToken, repeating: ".") {
            try DefaultJWTParser().parse([UInt8]($0.utf8), as: AnyClaims.self)
        },
    ]

    /// JSON.
    private static let bodies: [ParserCost] = [
        body(
            "JSON: first open with links", #"{"links":["#, repeating: #"{"url":"a:b","ageMilliseconds":1},"#,
            #"{"url":"a:b","ageMilliseconds":1}]}"#),
        body("JSON: fields that are skipped", "{", repeating: #""later":[{"a":-1.5e3,"é":"\u00e9"},true],"#, #""later":null}"#),
        body("JSON: attributes", text: { bytes in
            #"{"attributes":{"# + (0...(bytes / 16)).map { #""a\#($0)":\#($0)"# }.joined(separator: ",") + "}}"
        }),
        body("JSON: one key again and again", #"{"attributes":{"#, repeating: #""a":1,"#, #""a":1}}"#),
        body("JSON: combining marks in a key", #"{"attributes":{""#, repeating: "\u{316}\u{300}", #"":1}}"#),
        body("JSON: escaped combining marks in a key", #"{"attributes":{""#, repeating: #"\u0316\u0300"#, #"":1}}"#),
        body("JSON: as many marks as may be", #"{"attributes":{""#, repeating: String(repeating: "\u{316}\u{300}", count: 15) + "a", #"":1}}"#),
        body("JSON: backslashes", #"{"a":""#, repeating: #"\\"#, #""}"#),
        body("JSON: zeros that are escaped backslashes", #"{"a":""#, repeating: #"\\u0000"#, #""}"#),
        body("JSON: brackets", #"{"a":"#, repeating: "["),
        body("JSON: a long number", #"{"holdMilliseconds":"#, repeating: "1", "}"),
        body("JSON: a long fraction", #"{"attributes":{"a":0."#, repeating: "1", "}}"),
        body("JSON: white space", "{", repeating: " ", "}"),
        // What Apple's notifications have inside; nobody has verified it when it is read.
        ParserCost("payload: brackets", longest: 1 << 16, #"{"a":"#, repeating: "[") { NotificationPayload(payload: Array($0.utf8)) },
        ParserCost("payload: members", longest: 1 << 16, text: { bytes in
            #"{"notificationUUID":"a","notificationType":"b""# + (0...(bytes / 10)).map { #","k\#($0)":{}"# }.joined() + "}"
        }) { NotificationPayload(payload: Array($0.utf8)) },
        ParserCost("payload: combining marks in a name", longest: 1 << 16, #"{""#, repeating: "\u{316}\u{300}", #"":1}"#) {
            NotificationPayload(payload: Array($0.utf8))
        },
        ParserCost("payload: escaped combining marks in a name", longest: 1 << 16, #"{""#, repeating: #"\u0316\u0300"#, #"":1}"#) {
            NotificationPayload(payload: Array($0.utf8))
        },
        ParserCost("payload: escapes", longest: 1 << 16, #"{"notificationUUID":""#, repeating: #"\ud83d\ude00"#, #""}"#) {
            NotificationPayload(payload: Array($0.utf8))
        },
    ]

    /// Files that a team writes.
    private static let files: [ParserCost] = [
        yaml("YAML: keys", text: { bytes in (0...(bytes / 10)).map { "k\($0): 1\n" }.joined() }),
        yaml("YAML: one key again and again", repeating: "a: 1\n"),
        yaml("YAML: aliases", "a: &a x\nb: [x", repeating: ", *a", "]"),
        yaml("YAML: anchors", "a: [x", repeating: ", &a x", "]"),
        yaml("YAML: brackets", "a: ", repeating: "["),
        yaml("YAML: indentation", repeating: "- "),
        yaml("YAML: questions", repeating: "? "),
        yaml("YAML: comments", repeating: "# a\n"),
        yaml("YAML: quotes", "a: \"", repeating: "\\x41", "\""),
        yaml("YAML: combining marks in a key", repeating: "\u{316}\u{300}", ": 1"),
        yaml("YAML: combining marks in a key of many joined lines", "? \"a", repeating: "\\u0316\\\n\\u0300\\\n", "\"\n: 1\n"),
        yaml("YAML: plain lines", "a:\n", repeating: "  b\n"),
        yaml("configuration: domains and patterns", "domains: { brand: [{ host: go.example.com, paths: [", repeating: "/a*, ", "] }] }"),
        yaml("configuration: links", text: { bytes in
            "links:\n" + (0...(bytes / 64)).map { "- { url: https://go.example.com/\($0), to: https://example.com/x }\n" }.joined()
        }),
        yaml("configuration: keys", text: { bytes in
            "keys:\n" + (0...(bytes / 24)).map { "- { sdk: pk_\($0) }\n" }.joined()
        }),
        yaml("configuration: a schema and its remote config", text: { bytes in
            let names = (0...(bytes / 30)).map { "k\($0)" }
            let required = names.joined(separator: ", "), values = names.map { "\($0): [1]" }.joined(separator: ", ")
            return "paywalls: { p: { schema: { required: [\(required)], additionalProperties: { items: { enum: [1] } } }, "
                + "remoteConfig: { en: { \(values) } } } }"
        }),
        yaml("configuration: products and their levels", text: { bytes in
            "accessLevels: [a]\nproducts:\n" + (0...(bytes / 24)).map { "  p\($0): { access: [a] }\n" }.joined()
        }),
        yaml("configuration: rates", text: { bytes in
            "purchases:\n  rates:\n" + (0...(bytes / 32)).map { "    d\($0): { EUR: 1, JPY: 2 }\n" }.joined()
        }),
        yaml("configuration: one long text", "app: { id: ", repeating: "a", " }"),
        yaml("configuration: names that are not there", text: { bytes in
            "segments:\n" + (0...(bytes / 28)).map { "  s\($0): { segment: x\($0) }\n" }.joined()
        }),
        yaml("configuration: segments that need each other", text: { bytes in
            "segments:\n" + (0...(bytes / 60)).map { "  s\($0): { any: [{ segment: s\($0 + 1) }, { segment: s0 }] }\n" }.joined()
        }),
        ParserCost("rule of an audience: a segment in itself", longest: 1 << 18, "segments: { a: { all: [", repeating: "{ segment: a }, ", "] } }") {
            read(ruleOf: "a", in: $0)
        },
        ParserCost("rule of an audience: segments that use the next one ten times", longest: 1 << 18, text: { bytes in
            let uses = { (next: Int) in String(repeating: "{ segment: s\(next) }, ", count: 10) }
            return "segments:\n" + (0...(bytes / 190)).map { "  s\($0): { any: [\(uses($0 + 1))] }\n" }.joined()
        }) { read(ruleOf: "s0", in: $0) },
        ParserCost("edit: entries in lines", longest: 1 << 18, text: { bytes in
            (0...(bytes / 12)).map { "k\($0): 1\n" }.joined() + "last: 1\n"
        }) { try edited($0) },
        ParserCost("edit: entries in one line", longest: 1 << 18, text: { bytes in
            "last: { " + (0...(bytes / 12)).map { "k\($0): 1" }.joined(separator: ", ") + " }"
        }) { try edited($0) },
        ParserCost("edit: a long text", longest: 1 << 18, "last: |\n", repeating: "  # a\n") { try edited($0) },
        ParserCost("edit: comments", longest: 1 << 18, "last: 1\n", repeating: "  # a\n") { try edited($0) },
        ParserCost("CSV: rows", longest: 1 << 18, "to\n", repeating: "https://example.com/\n") {
            try LinkImport($0, .csv).rows
        },
        ParserCost("CSV: one wide row and many short ones", longest: 1 << 18, text: { bytes in
            "to" + String(repeating: ",", count: bytes / 2) + String(repeating: "\na", count: bytes / 4)
        }) { try LinkImport($0, .firebase).rows },
        ParserCost("CSV: quotes", longest: 1 << 18, "to\n\"", repeating: "\"\"", "\"\n") { try LinkImport($0, .csv).rows },
        ParserCost("CSV: columns that no link has", longest: 1 << 18, "to", repeating: ";camp", "\n") { try LinkImport($0, .csv).rows },
        ParserCost("CSV: written times", longest: 1 << 18, "to,expires\n", repeating: "https://example.com/,31 December 2026 6:00 pm\n") {
            try LinkImport($0, .csv).rows
        },
        ParserCost("CSV: flags", longest: 1 << 18, "to\n", repeating: "\u{1F1E9}\u{1F1EA}", "\n") {
            try LinkImport($0, .csv).rows
        },
        ParserCost("advice", longest: 64, repeating: "a") { Suggestion.sentence(for: $0, among: ["aaab", "placements"]) },
    ]
}

extension Parsers {
    private struct AnyClaims: JWTPayload {
        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private static let app = App(
        id: AppID("example"), name: "Example", bundleID: "com.example.app", teamID: nil, scheme: "example", appStoreID: 1)
    /// The longest allowed pattern, and one that is hard to match.
    private static let stars = PathPattern(String(repeating: "*aa", count: 84) + "b")
    private static let proxies = try? TrustedProxies(["10.0.0.0/8"])

    private static func client(forwarded: String) -> ClientAddress? {
        proxies?.client(peer: ClientAddress("10.0.0.2"), forwarded: [forwarded])
    }

    private static func link<Result>(
        _ name: String, _ start: String, repeating unit: String, _ end: String = "",
        parse: @escaping @Sendable (LinkAddress) throws -> Result
    ) -> ParserCost {
        ParserCost(name, longest: longestLink, start, repeating: unit, end) { try parse(LinkAddress($0)) }
    }

    private static func body(_ name: String, _ start: String, repeating unit: String, _ end: String = "") -> ParserCost {
        ParserCost(name, longest: FirstOpenRoutes.bodyLimit, start, repeating: unit, end) {
            try FirstOpenRequest.decoded(from: Data($0.utf8))
        }
    }

    private static func body(_ name: String, text: @escaping @Sendable (Int) -> String) -> ParserCost {
        ParserCost(name, longest: FirstOpenRoutes.bodyLimit, text: text) { try FirstOpenRequest.decoded(from: Data($0.utf8)) }
    }

    private static func yaml(_ name: String, _ start: String = "", repeating unit: String, _ end: String = "") -> ParserCost {
        ParserCost(name, longest: 1 << 18, start, repeating: unit, end) { try read(yaml: $0) }
    }

    private static func yaml(_ name: String, text: @escaping @Sendable (Int) -> String) -> ParserCost {
        ParserCost(name, longest: 1 << 18, text: text) { try read(yaml: $0) }
    }

    /// The way in which the console reads an unchecked draft.
    private static func read(ruleOf segment: String, in text: String) -> ConditionPart? {
        guard let document = ConfigurationDocument(number: 1, text: text), let rule = document.entry("segments", segment) else { return nil }
        return ConditionPartReader(segments: document.root["segments"]).part(rule)
    }

    private static func edited(_ text: String) throws -> String? {
        try ConfigurationEditPath("last").map { try ConfigurationEdit.set($0, to: .text("new")).applied(to: text) }
    }

    private static func read(yaml text: String) throws -> Configuration {
        try Configuration(yaml: text, environment: { _ in nil })
    }
}

// SPDX-License-Identifier: Apache-2.0

/// Requests of browsers and proxies, and requests that no client would send.
struct WrittenRequests {
    private static let iPhone = "User-Agent: \(Browser.safari)"
    private static let hosts = ["go.example.com", "go.example.com", "localhost", "GO.example.com:443", "example.org", "go.example.com."]
    private static let lines = [
        "GET /beach", "GET /beach?lf_campaign=x&adj_t=abc&lf_flavour=red&promo=1", "GET /own/7?adj_t=abc", "GET /ways", "HEAD /beach",
        "GET /app", "GET /x?adjust_t=abc&adjust_campaign=winter", "GET /over", "GET /shown", "GET /unknown", "GET /healthz",
        "HEAD /healthz", "GET /healthz?x=1", "GET /healthz/", "GET /v1/profiles/me", "POST /v1/events", "DELETE /beach", "GET /b%65ach",
        "GET /beach%CC%81\(String(repeating: "%CC%80", count: 30))", "GET /be|ach", "GET /beach#x", "GET //beach", "GET /a/../beach",
        "GET /robots.txt", "OPTIONS /healthz",
    ]
    private static let agents = [
        iPhone, "User-Agent: \(Browser.android)", "User-Agent: \(Browser.windows)", "User-Agent: \(Browser.slack)",
        "User-Agent: \(Browser.google)", "User-Agent: \(Browser.instagram)",
    ]
    private static let fields = [
        "Connection: close", "Connection: keep-alive", "Connection: Keep-Alive", "Connection: TE, close", "Connection: upgrade",
        "connection:close", "Accept: */*", "Accept: image/webp,*/*", "Accept-Language: de-DE,de;q=0.9", "Referer: https://münchen.example/", "Cookie: a=b; c=d",
        "Sec-Purpose: prefetch", "Purpose: prefetch;prerender", "X-Purpose: preview", "X-Forwarded-For: 198.51.100.7",
        "Content-Length: 0", "Content-Length: 3\r\n\r\nabc", "Content-Length: 3, 3", "Transfer-Encoding: chunked\r\n\r\n0",
        "Transfer-Encoding: identity", "Upgrade: h2c", "Expect: 100-continue", "Host: go.example.com", "X-Empty:", "X-Spaces:   a  ",
        "X-Tab:\ta\tb", "Proxy-Connection: close", "Bad Name: x", " folded", "X: \u{1}", "X-Y_Z.a: 1", "HTTP2-Settings: x",
        "Content-Length : 3", "Trailer: x", "TE: trailers",
    ]

    static func request(_ line: String, _ host: String, _ fields: [String] = [iPhone]) -> String {
        "\(line) HTTP/1.1\r\nHost: \(host)\r\n" + fields.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// Every request line on every host, from a phone; the most frequent ones from every client, with every field.
    static var table: [String] {
        lines.flatMap { line in Set(hosts).sorted().map { request(line, $0) } }
            + agents.flatMap { agent in ["GET /beach", "GET /ways"].map { request($0, "go.example.com", [agent]) } }
            + fields.flatMap { field in
                [request("GET /beach", "go.example.com", [iPhone, field]), request("GET /healthz", "localhost", [field])]
            }
    }

    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    /// One to four requests behind one another.
    mutating func next() -> String {
        (0...Int.random(in: 0...3, using: &random)).map { _ in one() }.joined()
    }

    private mutating func one() -> String {
        var fields = ["Host: \(pick(Self.hosts))", pick(Self.agents)]
        for _ in 0..<Int.random(in: 0...3, using: &random) { fields.append(pick(Self.fields)) }
        fields.shuffle(using: &random)
        fields = fields.map { Int.random(in: 0..<6, using: &random) == 0 ? changed($0) : $0 }
        let version = Int.random(in: 0..<20, using: &random) == 0 ? "HTTP/1.0" : "HTTP/1.1"
        let end = Int.random(in: 0..<30, using: &random) == 0 ? "\n" : "\r\n"
        return ([pick(Self.lines) + " " + version] + fields).map { $0 + end }.joined() + end
    }

    /// The same field in another client's spelling.
    private mutating func changed(_ field: String) -> String {
        guard let colon = field.firstIndex(of: ":") else { return field }
        let name = field[..<colon], value = field[colon...].dropFirst()
        return switch Int.random(in: 0..<5, using: &random) {
        case 0: name.uppercased() + ":" + value
        case 1: name.lowercased() + ":" + value
        case 2: name + ":" + value.drop { $0 == " " }
        case 3: name + ":   " + value
        default: name + ":" + value + " "
        }
    }

    private mutating func pick(_ all: [String]) -> String { all.randomElement(using: &random)! }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire

/// What one try came to.
struct WebhookTrial: Hashable, Sendable {
    enum Outcome: Hashable, Sendable {
        case delivered
        /// 410: the endpoint wants nothing more.
        case gone
        case failed(String)
    }

    /// So much of an answer is kept, in bytes.
    static let longestAnswer = 1_000

    let outcome: Outcome
    /// Nil if there was no answer.
    let status: Int64?
    /// Its beginning, without control characters; nil if it was empty.
    let answer: String?

    init(_ outcome: Outcome, status: Int64? = nil, answer: [UInt8] = []) {
        (self.outcome, self.status) = (outcome, status)
        // A character of four bytes may be cut.
        let text = String(decoding: answer.prefix(Self.longestAnswer + 3), as: UTF8.self).withoutControl.cut(toBytes: Self.longestAnswer)
        self.answer = text.isEmpty ? nil : text
    }

    /// Why it failed.
    var failure: String? {
        switch outcome {
        case .delivered: nil
        case .gone: "status 410"
        case .failed(let cause): cause
        }
    }
}

/// Tries to bring a message to an endpoint.
struct WebhookSending: Sendable {
    static let patience: Duration = .seconds(10)
    /// A longer answer counts as a failure.
    static let largestReply = 65_536
    /// The waits after the first, the second … try that failed. After the last one it is tried once more, and then given up.
    static let waitsMs: [Int64] = [
        5_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 5 * 3_600_000, 10 * 3_600_000, 14 * 3_600_000, 20 * 3_600_000, 24 * 3_600_000,
    ]

    let http: any OutboundHTTP
    let address: WebhookAddress
    let time: ServerTime

    /// - Parameter tries: that have failed.
    /// - Returns: nil if it is given up.
    static func waitMs(afterTries tries: Int64) -> Int64? {
        (1...Int64(waitsMs.count)).contains(tries) ? waitsMs[Int(tries) - 1] : nil
    }

    /// - Parameter address: in digits; the connection goes there, whatever DNS says by now.
    func send(_ body: String, id: String, to endpoint: WebhookEndpoint, at address: String) async -> WebhookTrial {
        var call = OutboundCall(.post, endpoint.url)
        let bytes = Array(body.utf8), seconds = time.nowMs() / 1_000
        call.headers = endpoint.fields(of: body, id: id, seconds: seconds)
        call.body = bytes
        call.largestReply = Self.largestReply
        call.patience = Self.patience
        call.address = address
        do {
            let reply = try await withTimeout(Self.patience, by: time) { [http, call] in try await http.send(call) }
            guard let reply else { return WebhookTrial(.failed("no answer within \(Self.patience)")) }
            let outcome: WebhookTrial.Outcome =
                switch reply.status {
                case 410: .gone
                case 200..<300: .delivered
                default: .failed("status \(reply.status)")
                }
            return WebhookTrial(outcome, status: Int64(reply.status), answer: reply.body)
        } catch {
            return WebhookTrial(.failed("\(error)"))
        }
    }
}

/// To which address an endpoint is connected. A name or a number that leads into the server's own network is refused: who may publish a
/// file could otherwise reach what only this machine reaches.
package struct WebhookAddress: Sendable {
    enum Refusal: Error, Hashable, CustomStringConvertible {
        case unknown(host: String)
        case notPublic(host: String, address: String)

        var description: String {
            switch self {
            case .unknown(let host): "'\(host)' of 'webhooks' has no address here. Look at the name, and at this machine's DNS."
            case .notPublic(let host, let address):
                "'\(host)' of 'webhooks' is \(address), which is not on the internet. Use a public address; --webhooks-to-private allows others."
            }
        }
    }

    /// The addresses of a name, in digits.
    let resolve: @Sendable (_ host: String) async -> [String]
    /// For development, and for receivers in a network of the server's own.
    let allowsPrivate: Bool

    package init(resolve: @escaping @Sendable (_ host: String) async -> [String], allowsPrivate: Bool = false) {
        (self.resolve, self.allowsPrivate) = (resolve, allowsPrivate)
    }

    /// In digits.
    /// - Throws: ``Refusal``
    func address(of endpoint: WebhookEndpoint) async throws(Refusal) -> String { try await address(ofHost: endpoint.host) }

    /// - Parameter host: a name, or an address in digits without brackets.
    func address(ofHost host: String) async throws(Refusal) -> String {
        let found = ClientAddress(host) != nil ? [host] : await resolve(host)
        guard let first = found.first else { throw .unknown(host: host) }
        if allowsPrivate { return first }
        guard let address = found.first(where: { ClientAddress($0).map(ForwardingAddress.isPublic) == true }) else {
            throw .notPublic(host: host, address: first)
        }
        return address
    }
}

extension WebhookEndpoint {
    /// The header fields of a try at this time.
    func fields(of body: String, id: String, seconds: Int64) -> [String: String] {
        [
            "Content-Type": "application/json", "webhook-id": id, "webhook-timestamp": String(seconds),
            "webhook-signature": signatures(of: Array(body.utf8), id: id, seconds: seconds),
        ]
    }
}

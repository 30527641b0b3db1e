// SPDX-License-Identifier: Apache-2.0
package import LandfallRules
import LandfallStore
import LandfallWire

/// What the team sees of its endpoints, and does with them.
package struct Webhooks: Sendable {
    /// Tests of endpoints that run at once on one node.
    package static let mostTests = 4

    /// An endpoint of the configuration, and how it is doing.
    package struct Endpoint: Sendable {
        package let endpoint: WebhookEndpoint
        /// Its place in the file, from 1.
        package let number: Int
        package let state: WebhookEndpointState
        package let waiting: WebhookStore.Waiting
    }

    let store: WebhookStore
    /// Nil where no server runs.
    private let sending: WebhookSending?
    private let tests: AsyncSemaphore
    private let time: ServerTime

    /// - Parameter http: nil where no server runs.
    package init(
        _ store: WebhookStore, by http: (any OutboundHTTP)?, at address: WebhookAddress, tests: AsyncSemaphore, time: ServerTime
    ) {
        (self.store, self.tests, self.time) = (store, tests, time)
        sending = http.map { WebhookSending(http: $0, address: address, time: time) }
    }

    // MARK: - Looking

    /// In the order of the file, and how many messages had to make room.
    package func endpoints(of configuration: Configuration) async throws -> (endpoints: [Endpoint], dropped: Int64) {
        let named = configuration.webhooks
        let states = Dictionary(try await store.endpoints().map { ($0.key, $0) }) { first, _ in first }
        let (waiting, dropped) = try await store.waiting(at: named.map(\.key))
        let endpoints = zip(named, waiting).enumerated().map { index, pair in
            let state = states[pair.0.key] ?? WebhookEndpointState(new: pair.0.key)
            return Endpoint(endpoint: pair.0, number: index + 1, state: state, waiting: pair.1)
        }
        return (endpoints, dropped)
    }

    /// - Throws: `not_found` for a key that the configuration does not have.
    package func endpoint(_ key: String, of configuration: Configuration) throws(RequestError) -> WebhookEndpoint {
        guard let endpoint = configuration.webhooks.first(where: { $0.key.hasSameBytes(as: key) }) else {
            throw RequestError(.notFound, "No endpoint of 'webhooks' has this id. GET /v1/webhooks lists them.")
        }
        return endpoint
    }

    /// The newest first.
    /// - Returns: and where the next page begins; nil on the last one.
    package func deliveries(
        to endpoint: WebhookEndpoint, before: String?, isUndelivered: Bool, most: Int
    ) async throws -> (page: [WebhookDelivery], next: String?) {
        let found = try await store.deliveries(at: endpoint.key, before: before, isUndelivered: isUndelivered, most: most + 1)
        let page = Array(found.prefix(most))
        return (page, found.count > most ? page.last?.id : nil)
    }

    /// - Throws: `not_found`
    package func delivery(_ id: String, to endpoint: WebhookEndpoint) async throws -> WebhookDelivery {
        guard let delivery = try await store.delivery(id, at: endpoint.key) else { throw Self.noDelivery }
        return delivery
    }

    /// Messages for an endpoint with their signatures of now, for a program that stands in for it.
    /// - Parameter sequence: nil asks only for the newest number.
    func messages(for endpoint: WebhookEndpoint, after sequence: Int64?, most: Int) async throws -> WebhookMessagesDocument {
        // Asked first: what is given a number later is after it.
        let newest = try await store.newestSequence()
        guard let sequence else { return WebhookMessagesDocument(sequence: newest, messages: []) }
        let found = try await store.messages(at: endpoint.key, after: sequence, most: most), seconds = time.nowMs() / 1_000
        // Behind the messages for other endpoints too: the next call does not look at them again.
        let last = max(found.last?.sequence ?? sequence, found.count < most ? newest : 0)
        return WebhookMessagesDocument(
            sequence: last,
            messages: found.map { message in
                WebhookMessagesDocument.Message(
                    id: message.id, type: WebhookMessage.type(of: message.body), sequence: message.sequence,
                    headers: endpoint.fields(of: message.body, id: message.id, seconds: seconds), body: message.body)
            })
    }

    // MARK: - Doing

    /// - Throws: `not_found`, `webhook_off`
    package func sendAgain(_ id: String, to endpoint: WebhookEndpoint, by who: AuditLine) async throws {
        try await requireOn(endpoint)
        guard try await store.sendAgain(id, at: endpoint.key, noting: line(who), nowMs: time.nowMs()) else { throw Self.noDelivery }
    }

    /// - Returns: how many deliveries begin anew.
    /// - Throws: `webhook_off`
    package func replay(to endpoint: WebhookEndpoint, fromMs: Int64, toMs: Int64, by who: AuditLine) async throws -> Int {
        try await requireOn(endpoint)
        return try await store.replay(at: endpoint.key, fromMs: fromMs, toMs: toMs, noting: line(who), nowMs: time.nowMs())
    }

    /// - Returns: false if it was on.
    package func switchOn(_ endpoint: WebhookEndpoint, by who: AuditLine) async throws -> Bool {
        try await store.switchOn(endpoint.key, noting: line(who))
    }

    /// Sends a message of the type `webhook.test`, once. Nothing of it is stored but who did it, and it changes no state of the endpoint.
    /// - Throws: `busy`
    package func test(_ endpoint: WebhookEndpoint, by who: AuditLine) async throws -> WebhookTestResult {
        guard let sending else { throw RequestError(.busy, "A running server sends test events. Start the server, then repeat the call.") }
        guard let permit = tests.permitIfFree() else {
            throw RequestError(.busy, "This node tests as many webhooks as it may. Try again in a few seconds.", retryAfter: 5)
        }
        defer { permit.giveBack() }
        let startedAtMs = time.nowMs(), id = UUIDv7.make(nowMs: startedAtMs)
        try await store.database.append([line(who)])
        let trial: WebhookTrial
        do {
            let address = try await sending.address.address(of: endpoint)
            trial = await sending.send(WebhookMessage.test(atMs: startedAtMs), id: id, to: endpoint, at: address)
        } catch {
            trial = WebhookTrial(.failed("\(error)"))
        }
        return WebhookTestResult(
            webhookId: id, delivered: trial.outcome == .delivered, status: trial.status, answer: trial.answer, failure: trial.failure,
            tookMilliseconds: time.nowMs() - startedAtMs)
    }

    private func line(_ who: AuditLine) -> Statement {
        let nowMs = time.nowMs()
        return who.insertion(into: store.app, id: UUIDv7.make(nowMs: nowMs), nowMs: nowMs)
    }

    private func requireOn(_ endpoint: WebhookEndpoint) async throws {
        let state = try await store.endpoints().first { $0.key.hasSameBytes(as: endpoint.key) }
        if state?.offAtMs != nil {
            throw RequestError(.webhookOff, "The endpoint answered 410 and is off. Switch it on first: POST /v1/webhooks/{endpoint}/on.")
        }
    }

    /// Whether a text may be an id of a delivery: everything else is in no row.
    package static func isDeliveryID(_ text: String) -> Bool {
        (36...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            }
    }

    private static let noDelivery = RequestError(
        .notFound, "There is no delivery with this id at the endpoint. Deliveries are kept for seven days at most.")
}

extension WebhookMessage {
    static let testType = "webhook.test"

    static func test(atMs: Int64) -> String {
        #"{"data":{"test":true},"timestamp":"\#(Instant(milliseconds: atMs))","type":"\#(testType)"}"#
    }
}

/// How a test event went.
package struct WebhookTestResult: Codable, Hashable, Sendable {
    package let webhookId: String
    package let delivered: Bool
    package let status: Int64?
    package let answer: String?
    package let failure: String?
    package let tookMilliseconds: Int64
}

// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules
import LandfallStore
import LandfallWire

/// `/v1/webhooks`: for a server key with `webhooks`, or for a command. What it shows has what endpoints are told of people.
package struct WebhookRoutes: Sendable {
    package static let path = "/v1/webhooks"
    package static let deliveriesPath = path + "/{endpoint}/deliveries"
    package static let deliveryPath = deliveriesPath + "/{delivery}"
    package static let retryPath = deliveryPath + "/retry"
    package static let replayPath = path + "/{endpoint}/replay"
    package static let testPath = path + "/{endpoint}/test"
    package static let onPath = path + "/{endpoint}/on"
    package static let messagesPath = path + "/{endpoint}/messages"

    static let usualPage = 50
    /// In one answer to a program that listens.
    static let mostMessages = 100
    static let bodyLimit = 4_096

    private let webhooks: Webhooks

    package init(_ webhooks: Webhooks) { self.webhooks = webhooks }

    @Sendable package func list(_ request: Request, context: AppContext) async throws -> Answer<WebhookEndpointsDocument> {
        let (endpoints, dropped) = try await webhooks.endpoints(of: context.snapshot.configuration)
        return Answer(WebhookEndpointsDocument(endpoints, dropped: dropped))
    }

    /// `GET ?before=&limit=&state=undelivered`
    @Sendable package func deliveries(_ request: Request, context: AppContext) async throws -> Answer<WebhookDeliveriesDocument> {
        let query = request.uri.queryParameters, endpoint = try endpoint(context)
        let most = try Self.number(query["limit"].map(String.init), "limit", 1...Int64(WebhookStore.longestPage)) ?? Int64(Self.usualPage)
        let state = query["state"].map(String.init)
        guard state == nil || state == "undelivered" else { throw RequestError.invalid("state", "'undelivered', or nothing for all.") }
        let before = try query["before"].map { try Self.id(String($0), "before") }
        let (page, next) = try await webhooks.deliveries(to: endpoint, before: before, isUndelivered: state != nil, most: Int(most))
        return Answer(
            WebhookDeliveriesDocument(deliveries: page.map { WebhookDeliveryDocument($0, isWhole: false) }, next: next))
    }

    @Sendable package func delivery(_ request: Request, context: AppContext) async throws -> Answer<WebhookDeliveryDocument> {
        let delivery = try await webhooks.delivery(try Self.delivery(context), to: try endpoint(context))
        return Answer(WebhookDeliveryDocument(delivery, isWhole: true))
    }

    @Sendable package func retry(_ request: Request, context: AppContext) async throws -> Answer<WebhookChangeAnswer> {
        let endpoint = try endpoint(context), id = try Self.delivery(context)
        try await webhooks.sendAgain(id, to: endpoint, by: try Self.line(context, .webhookSentAgain, endpoint, id))
        return Answer(WebhookChangeAnswer(changed: true))
    }

    /// `POST {"from","to"}`
    @Sendable package func replay(_ request: Request, context: AppContext) async throws -> Answer<WebhookReplayAnswer> {
        let endpoint = try endpoint(context), order = try await request.decoded(as: ReplayOrder.self, upTo: Self.bodyLimit)
        guard let from = Instant(order.from) else { throw RequestError.invalid("from", "an instant as 2026-11-22T09:30:00Z.") }
        guard let to = Instant(order.to), from < to else {
            throw RequestError.invalid("to", "an instant as 2026-11-22T09:30:00Z, after 'from'.")
        }
        let line = try Self.line(context, .webhookReplayed, endpoint, "\(from) – \(to)")
        return Answer(
            WebhookReplayAnswer(
                count: try await webhooks.replay(to: endpoint, fromMs: from.milliseconds, toMs: to.milliseconds, by: line)))
    }

    @Sendable package func test(_ request: Request, context: AppContext) async throws -> Answer<WebhookTestResult> {
        let endpoint = try endpoint(context)
        return Answer(try await webhooks.test(endpoint, by: try Self.line(context, .webhookTested, endpoint)))
    }

    @Sendable package func switchOn(_ request: Request, context: AppContext) async throws -> Answer<WebhookChangeAnswer> {
        let endpoint = try endpoint(context)
        return Answer(
            WebhookChangeAnswer(changed: try await webhooks.switchOn(endpoint, by: try Self.line(context, .webhookSwitchedOn, endpoint))))
    }

    /// `GET ?after=`: without it only the newest number.
    @Sendable package func messages(_ request: Request, context: AppContext) async throws -> Answer<WebhookMessagesDocument> {
        let after = try Self.number(request.uri.queryParameters["after"].map(String.init), "after", 0...(.max))
        return Answer(try await webhooks.messages(for: try endpoint(context), after: after, most: Self.mostMessages))
    }

    // MARK: - Reading the call

    private func endpoint(_ context: AppContext) throws -> WebhookEndpoint {
        try webhooks.endpoint(try context.parameters.require("endpoint"), of: context.snapshot.configuration)
    }

    private static func delivery(_ context: AppContext) throws -> String {
        try id(try context.parameters.require("delivery"), "delivery")
    }

    private static func id(_ text: String, _ field: String) throws -> String {
        guard Webhooks.isDeliveryID(text) else { throw RequestError.invalid(field, "the id of a delivery, as lists give it.") }
        return text
    }

    private static func number(_ text: String?, _ field: String, _ range: ClosedRange<Int64>) throws -> Int64? {
        guard let text else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw RequestError.invalid(field, "a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    private static func line(
        _ context: AppContext, _ action: AuditAction, _ endpoint: WebhookEndpoint, _ more: String? = nil
    ) throws -> AuditLine {
        try context.requireCaller().line(action, [endpoint.host, more].compactMap(\.self).joined(separator: ", "))
    }
}

private struct ReplayOrder: Decodable {
    let from: String
    let to: String
}

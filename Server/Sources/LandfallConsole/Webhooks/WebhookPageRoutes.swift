// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallRules
import LandfallServer
import LandfallWire
import NIOCore

/// `/console/webhooks`: endpoints, their deliveries, and what can be sent again. Bodies are about people, so a role that sees none has no
/// page.
struct WebhookPageRoutes: Sendable {
    static let pageLength = 50

    let webhooks: Webhooks

    @Sendable func list(_ call: ConsoleCall) async throws -> Response { try await list(call, .ok) }

    private func list(_ call: ConsoleCall, _ status: HTTPResponse.Status, tested: WebhookListPage.Tested? = nil) async throws -> Response {
        let (endpoints, dropped) = try await webhooks.endpoints(of: call.context.snapshot.configuration)
        return ConsoleAnswer.page(
            WebhookListPage(frame: try call.frame, endpoints: endpoints.map { WebhookEntry($0) }, dropped: dropped, tested: tested).html, status)
    }

    /// The same for programs.
    @Sendable func listJSON(_ call: ConsoleCall) async throws -> Response {
        let (endpoints, dropped) = try await webhooks.endpoints(of: call.context.snapshot.configuration)
        return try ConsoleAnswer.document(WebhookEndpointsDocument(endpoints, dropped: dropped))
    }

    /// `GET /console/webhooks/{endpoint}?before=&state=undelivered&again=`
    @Sendable func deliveries(_ call: ConsoleCall) async throws -> Response {
        let endpoint = try endpoint(call)
        let (page, next) = try await page(of: endpoint, call)
        let (all, _) = try await webhooks.endpoints(of: call.context.snapshot.configuration)
        guard let entry = all.first(where: { $0.endpoint.key.hasSameBytes(as: endpoint.key) }) else { throw RequestError.notFound }
        return ConsoleAnswer.page(
            WebhookDeliveriesPage(
                frame: try call.frame, endpoint: WebhookEntry(entry), deliveries: page, next: next, isUndelivered: Self.isUndelivered(call),
                replayed: call.query("again").flatMap { Int64($0) }
            ).html)
    }

    @Sendable func deliveriesJSON(_ call: ConsoleCall) async throws -> Response {
        let (page, next) = try await page(of: try endpoint(call), call)
        return try ConsoleAnswer.document(
            WebhookDeliveriesDocument(deliveries: page.map { WebhookDeliveryDocument($0, isWhole: false) }, next: next))
    }

    @Sendable func delivery(_ call: ConsoleCall) async throws -> Response {
        let endpoint = try endpoint(call), delivery = try await webhooks.delivery(try Self.id(call), to: endpoint)
        return ConsoleAnswer.page(
            WebhookDeliveryPage(frame: try call.frame, endpoint: endpoint.key, host: endpoint.host, delivery: delivery).html)
    }

    @Sendable func deliveryJSON(_ call: ConsoleCall) async throws -> Response {
        let delivery = try await webhooks.delivery(try Self.id(call), to: try endpoint(call))
        return try ConsoleAnswer.document(WebhookDeliveryDocument(delivery, isWhole: true))
    }

    // MARK: - Forms

    @Sendable func again(_ call: ConsoleCall) async throws -> Response {
        let endpoint = try endpoint(call), id = try Self.id(call)
        do {
            try await webhooks.sendAgain(id, to: endpoint, by: call.line(.webhookSentAgain, endpoint.host + ", " + id))
        } catch let error as RequestError where error.code == .webhookOff {
            // The list says so, and has the button.
            return ConsoleAnswer.see(Place("/console/webhooks"))
        }
        return ConsoleAnswer.see(Place("/console/webhooks", [endpoint.key, "deliveries", id]))
    }

    /// The messages of the last hours, up to now.
    @Sendable func replay(_ call: ConsoleCall) async throws -> Response {
        let endpoint = try endpoint(call)
        guard let hours = WebhookDeliveriesPage.hours.first(where: { String($0) == call.field("hours") }) else {
            throw RequestError.invalid("hours", "one of the choices of the form.")
        }
        let fromMs = call.nowMs - hours * 3_600_000
        let line = call.line(.webhookReplayed, "\(endpoint.host), \(Instant(milliseconds: fromMs)) – \(Instant(milliseconds: call.nowMs))")
        do {
            let count = try await webhooks.replay(to: endpoint, fromMs: fromMs, toMs: call.nowMs + 1, by: line)
            return ConsoleAnswer.see(Place("/console/webhooks", [endpoint.key], query: [("again", "\(count)")]))
        } catch let error as RequestError where error.code == .webhookOff {
            return ConsoleAnswer.see(Place("/console/webhooks"))
        }
    }

    /// The page with the answer: it is stored nowhere.
    @Sendable func test(_ call: ConsoleCall) async throws -> Response {
        let endpoint = try endpoint(call)
        let result = try await webhooks.test(endpoint, by: call.line(.webhookTested, endpoint.host))
        return try await list(call, .ok, tested: WebhookListPage.Tested(host: endpoint.host, result: result))
    }

    @Sendable func switchOn(_ call: ConsoleCall) async throws -> Response {
        let endpoint = try endpoint(call)
        _ = try await webhooks.switchOn(endpoint, by: call.line(.webhookSwitchedOn, endpoint.host))
        return ConsoleAnswer.see(Place("/console/webhooks"))
    }

    // MARK: - Reading the call

    private func endpoint(_ call: ConsoleCall) throws -> WebhookEndpoint {
        try webhooks.endpoint(call.context.parameters.get("endpoint") ?? "", of: call.context.snapshot.configuration)
    }

    private func page(of endpoint: WebhookEndpoint, _ call: ConsoleCall) async throws -> (page: [WebhookDelivery], next: String?) {
        let before = call.query("before").flatMap { Webhooks.isDeliveryID($0) ? $0 : nil }
        return try await webhooks.deliveries(to: endpoint, before: before, isUndelivered: Self.isUndelivered(call), most: Self.pageLength)
    }

    private static func isUndelivered(_ call: ConsoleCall) -> Bool { call.query("state") == "undelivered" }

    private static func id(_ call: ConsoleCall) throws -> String {
        let id = call.context.parameters.get("delivery") ?? ""
        guard Webhooks.isDeliveryID(id) else { throw RequestError.notFound }
        return id
    }
}

extension ConsoleRoute {
    static func webhooks(_ routes: WebhookPageRoutes) -> [ConsoleRoute] {
        [
            get("/console/webhooks", .member(.people), routes.list),
            get("/console/webhooks.json", .member(.people), routes.listJSON),
            get("/console/webhooks/{endpoint}", .member(.people), routes.deliveries),
            get("/console/webhooks/{endpoint}.json", .member(.people), routes.deliveriesJSON),
            get("/console/webhooks/{endpoint}/deliveries/{delivery}", .member(.people), routes.delivery),
            get("/console/webhooks/{endpoint}/deliveries/{delivery}.json", .member(.people), routes.deliveryJSON),
            post("/console/webhooks/{endpoint}/deliveries/{delivery}/again", .member(.operating), routes.again),
            post("/console/webhooks/{endpoint}/replay", .member(.operating), routes.replay),
            post("/console/webhooks/{endpoint}/test", .member(.operating), routes.test),
            post("/console/webhooks/{endpoint}/on", .member(.operating), routes.switchOn),
        ]
    }
}

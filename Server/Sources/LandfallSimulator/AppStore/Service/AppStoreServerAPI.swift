// SPDX-License-Identifier: Apache-2.0
import Foundation
import Hummingbird

/// Apple's paths of the App Store Server API. One address answers for production and sandbox.
struct AppStoreServerAPI {
    private static let longest = 65_536

    let store: SimulatedAppStore
    let clock: @Sendable () -> Int64
    /// Nil: every call is answered.
    var limit: CallLimit?

    private struct TokenBody: Decodable { let appAccountToken: String }
    private struct Nothing: Encodable {}
    private struct TestToken: Encodable { let testNotificationToken: String }

    func add(to router: Router<BasicRequestContext>) {
        router.get("inApps/v2/history/:id") { request, context in
            await answering(request) {
                let query = try HistoryQuery(request.uri.queryParameters.map { (key: String($0.key), value: String($0.value)) })
                return try .json(try await store.history(of: try id(context), query, at: clock()))
            }
        }
        router.get("inApps/v1/subscriptions/:id") { request, context in
            await answering(request) {
                let wanted = try request.uri.queryParameters.getAll("status").map { text in
                    guard let status = Int(text), (1...5).contains(status) else { throw AppleError.invalidStatus }
                    return status
                }
                return try .json(try await store.statuses(of: try id(context), only: Set(wanted), at: clock()))
            }
        }
        router.get("inApps/v1/transactions/:id") { request, context in
            await answering(request) { try .json(try await store.transaction(try id(context), at: clock())) }
        }
        router.get("inApps/v2/refund/lookup/:id") { request, context in
            await answering(request) {
                try .json(
                    try await store.refunds(of: try id(context), revision: request.uri.queryParameters.get("revision"), at: clock())
                )
            }
        }
        router.put("inApps/v1/transactions/:id/appAccountToken") { request, context in
            await answering(request) {
                let body = try await body(TokenBody.self, of: request)
                guard UUID(uuidString: body.appAccountToken) != nil else { throw AppleError.invalidToken }
                try await store.setToken(body.appAccountToken, ofOriginal: try id(context), at: clock())
                return Response(status: .ok)
            }
        }
        addNotifications(to: router)
    }

    private func addNotifications(to router: Router<BasicRequestContext>) {
        router.post("inApps/v1/notifications/history") { request, _ in
            await answering(request) {
                let query = try await body(NotificationQuery.self, of: request)
                let token = request.uri.queryParameters.get("paginationToken")
                return try .json(try await store.notifications(query, token: token, at: clock()))
            }
        }
        router.post("inApps/v1/notifications/test") { request, _ in
            await answering(request) { try .json(TestToken(testNotificationToken: await store.test(at: clock()))) }
        }
        router.get("inApps/v1/notifications/test/:token") { request, context in
            await answering(request) { try .json(try await store.testStatus(context.parameters.get("token") ?? "")) }
        }
    }

    private func id(_ context: BasicRequestContext) throws -> String {
        guard let id = context.parameters.get("id"), id.wholeMatch(of: /[0-9]{1,20}/) != nil else { throw AppleError.invalidTransaction }
        return id
    }

    private func body<Value: Decodable>(_ type: Value.Type, of request: Request) async throws -> Value {
        guard let bytes = try? await request.body.collect(upTo: Self.longest),
            let value = try? JSONDecoder().decode(type, from: Data(bytes.readableBytesView))
        else { throw AppleError.badRequest }
        return value
    }

    private func answering(_ request: Request, _ body: () async throws -> Response) async -> Response {
        if let fault = BearerToken.fault(request.headers[.authorization], app: store.app, at: clock()) {
            return Response(status: .unauthorized, body: ResponseBody(byteBuffer: ByteBuffer(string: "Unauthenticated\n\n\(fault)\n")))
        }
        if let until = limit?.refusal(at: clock()) {
            var refusal = (try? Response.json(AppleError.rateLimit, status: .tooManyRequests)) ?? Response(status: .tooManyRequests)
            // Unlike elsewhere, an instant in milliseconds.
            refusal.headers[.retryAfter] = "\(until)"
            return refusal
        }
        do {
            return try await body()
        } catch let error as AppleError {
            let status = HTTPResponse.Status(code: error.status)
            return (try? .json(error, status: status)) ?? Response(status: status)
        } catch {
            return Response(status: .internalServerError)
        }
    }
}

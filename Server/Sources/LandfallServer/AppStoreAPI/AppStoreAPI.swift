// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallPurchases
import LandfallRules
import LandfallWire
package import Metrics

/// Where Apple's API is.
package struct AppStoreAPIHosts: Hashable, Sendable {
    let production: String
    let sandbox: String

    package static let apple = AppStoreAPIHosts(
        production: "https://api.storekit.apple.com", sandbox: "https://api.storekit-sandbox.apple.com")

    private init(production: String, sandbox: String) { (self.production, self.sandbox) = (production, sandbox) }

    /// A simulated App Store, which answers for both environments.
    /// - Parameter url: https, or http to this machine; nil: Apple's.
    /// - Throws: ``AppStoreAPIUnusable``
    package init(url: String?) throws {
        guard let url else {
            self = .apple
            return
        }
        guard let host = URL.base(url) else { throw AppStoreAPIUnusable(url: url) }
        self.init(production: host, sandbox: host)
    }

    subscript(environment: AppStoreEnvironment) -> String { environment == .production ? production : sandbox }
}

struct AppStoreAPIUnusable: Error, Hashable, CustomStringConvertible {
    let url: String
    var description: String {
        "'\(url)' of --app-store-api is not an address for the App Store Server API. Write an https address, or http to this machine; without the option it is Apple's."
    }
}

/// Asks the App Store. Nothing in an answer is believed but texts that Apple has signed.
package struct AppStoreAPI: Sendable {
    /// Twenty notifications of many seats have less than one.
    private static let largestReply = 8 << 20
    private static let patience: Duration = .seconds(15)

    private let hosts: AppStoreAPIHosts
    private let http: any OutboundHTTP
    private let time: ServerTime
    private let factory: any MetricsFactory
    private let pacing = AppStorePacing()

    package init(_ hosts: AppStoreAPIHosts, by http: any OutboundHTTP, time: ServerTime, metrics: any MetricsFactory) {
        (self.hosts, self.http, self.time, factory) = (hosts, http, time, metrics)
    }

    /// Asks once, when Apple's limits allow it.
    /// - Throws: ``AppStoreAPIError``, `CancellationError`.
    func ask<Value: Decodable & Sendable>(
        _ call: AppStoreCall, in environment: AppStoreEnvironment, with access: AppStoreAccess, as type: Value.Type = Value.self
    ) async throws -> Value {
        do {
            let value: Value = try await asking(call, in: environment, with: access)
            count(call, "answered")
            return value
        } catch let error as AppStoreAPIError {
            count(call, error.label)
            throw error
        }
    }

    private func asking<Value: Decodable & Sendable>(
        _ call: AppStoreCall, in environment: AppStoreEnvironment, with access: AppStoreAccess
    ) async throws -> Value {
        let waitMs = try pacing.place(of: call, in: environment, nowMs: time.nowMs())
        if waitMs > 0 { try await time.sleep(.milliseconds(waitMs)) }
        var request = OutboundCall(call.method, hosts[environment] + call.path)
        request.headers = ["Authorization": "Bearer \(try access.token(nowMs: time.nowMs()))", "Accept": "application/json"]
        request.largestReply = Self.largestReply
        if let body = call.body {
            request.body = body
            request.headers["Content-Type"] = "application/json"
        }
        let reply = try await sending(request)
        if reply.status == 200, CombiningMarks.areFew(escaped: Data(reply.body)) {
            guard let value = try? WireCoding.decode(Value.self, from: Data(reply.body)) else { throw AppStoreAPIError.passing("its answer is not Apple's JSON") }
            return value
        }
        let nowMs = time.nowMs()
        let untilMs = reply.status == 429 ? pacing.rest(environment, retryAfter: reply.retryAfter, nowMs: nowMs) : nowMs
        let code = (try? WireCoding.decode(Fault.self, from: Data(reply.body)))?.errorCode
        throw AppStoreAPIError(status: reply.status, code: code, untilMs: untilMs)
    }

    private struct Fault: Decodable { let errorCode: Int? }

    private func sending(_ request: OutboundCall) async throws -> OutboundReply {
        let reply: OutboundReply?
        do {
            reply = try await withTimeout(Self.patience, by: time) { [http] in try await http.send(request) }
        } catch {
            try Task.checkCancellation()
            throw AppStoreAPIError.passing("\(error)")
        }
        guard let reply else { throw AppStoreAPIError.passing("nothing within \(Self.patience)") }
        return reply
    }

    private func count(_ call: AppStoreCall, _ outcome: String) {
        Counter(label: "landfall_app_store_api_calls_total", dimensions: [("call", call.label), ("outcome", outcome)], factory: factory)
            .increment()
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallPurchases
import LandfallRules
package import LandfallStore
import LandfallWire

/// How a TEST notification went, from Apple to this server.
package struct TestNotification: Hashable, Sendable, Codable {
    /// `Production` or `Sandbox`.
    package let environment: String
    /// Apple's word for its first try; nil while Apple has not tried.
    package let result: String?
    /// Whether it is in the store of this server.
    package let arrived: Bool
    package let tookMilliseconds: Int64

    package init(environment: String, result: String?, arrived: Bool, tookMilliseconds: Int64) {
        (self.environment, self.result, self.arrived, self.tookMilliseconds) = (environment, result, arrived, tookMilliseconds)
    }

    package var isGood: Bool { arrived && result == "SUCCESS" }

    /// What happened, and what to do.
    package var sentence: String {
        let place = "'App Store Server Notifications' in App Store Connect"
        return switch (result, arrived) {
        case ("SUCCESS", true): "Apple posted a test notification of \(environment), and it arrived here after \(tookMilliseconds) ms."
        case ("SUCCESS", false): "Apple posted it and got a good answer, but it is not here. Another server has the address in \(place): correct it."
        case (nil, _): "Apple has not posted it within \(tookMilliseconds / 1_000) s. Try again in a minute; if that stays so, look whether \(place) has an address for \(environment)."
        case ("UNSUCCESSFUL_HTTP_RESPONSE_CODE", _): "The address answered Apple, but not with 200 to 206. Look at the address in \(place) and at the log of your proxy."
        case ("TIMED_OUT", _), ("NO_RESPONSE", _): "Apple got no answer (\(result ?? "")). Let 17.0.0.0/8 reach the address in \(place) on its port: look at DNS, firewall and proxy."
        case ("TLS_ISSUE", _): "Apple does not accept the certificate of the address (TLS_ISSUE). 'landfall doctor' checks it from outside."
        case ("CIRCULAR_REDIRECT", _): "The address redirects Apple in a circle. Write the final address in \(place)."
        default: "Apple could not deliver it (\(result ?? "")). Look at the address in \(place), and at the proxy before this server."
        }
    }
}

/// `/v1/app-store/notifications/tests`, for commands only: Apple is asked for a TEST notification, and the answer says how it went.
package struct TestNotificationRoutes: Sendable {
    package static let path = NotificationRoutes.path + "/tests"
    /// Apple usually posts within seconds.
    static let longestMs: Int64 = 30_000

    private let api: AppStoreAPI?
    private let database: any Database
    private let trust: AppStoreTrust
    private let time: ServerTime

    /// - Parameter api: nil if no server runs.
    package init(_ api: AppStoreAPI?, _ database: any Database, trust: AppStoreTrust, time: ServerTime) {
        (self.api, self.database, self.trust, self.time) = (api, database, trust, time)
    }

    /// `POST`, with `?environment=sandbox` for the sandbox.
    @Sendable package func send(_ request: Request, context: AppContext) async throws -> Answer<TestNotification> {
        let environment: AppStoreEnvironment = request.uri.queryParameters["environment"] == "sandbox" ? .sandbox : .production
        return Answer(try await send(in: environment, of: context.snapshot))
    }

    /// One of production.
    package func send(of snapshot: Snapshot) async throws -> TestNotification { try await send(in: .production, of: snapshot) }

    private func send(in environment: AppStoreEnvironment, of snapshot: Snapshot) async throws -> TestNotification {
        guard let api else { throw AppStoreQuestionRefusal.noServer }
        let access = try AppStoreAccess.required(snapshot)
        do {
            let test = try await sending(api, environment, access, snapshot)
            try await AppStoreProgress(database, of: snapshot.app.id).write(test, .test)
            return test
        } catch AppStoreAPIError.unknown {
            throw AppStoreQuestionRefusal.noAddress
        } catch let error as AppStoreAPIError {
            throw AppStoreQuestionRefusal.apple(error)
        }
    }

    private func sending(
        _ api: AppStoreAPI, _ environment: AppStoreEnvironment, _ access: AppStoreAccess, _ snapshot: Snapshot
    ) async throws -> TestNotification {
        let startedAtMs = time.nowMs()
        let asked: TestAnswer = try await api.ask(.requestTest, in: environment, with: access)
        var result: String?, arrived = false, pauseMs: Int64 = 500
        while result == nil || !arrived, time.nowMs() < startedAtMs + Self.longestMs {
            try await time.sleep(.milliseconds(pauseMs))
            pauseMs = min(2 * pauseMs, 4_000)
            guard let status = try await status(api, asked, environment, access) else { continue }
            result = status.sendAttempts?.first?.sendAttemptResult
            arrived = try await hasArrived(status.signedPayload, of: snapshot)
            // What Apple could not deliver does not come by waiting.
            if let result, result != "SUCCESS" { break }
        }
        return TestNotification(
            environment: environment.rawValue, result: result, arrived: arrived, tookMilliseconds: time.nowMs() - startedAtMs)
    }

    /// Nil while Apple has none.
    private func status(
        _ api: AppStoreAPI, _ asked: TestAnswer, _ environment: AppStoreEnvironment, _ access: AppStoreAccess
    ) async throws -> TestStatusAnswer? {
        do {
            return try await api.ask(.testStatus(token: asked.testNotificationToken), in: environment, with: access)
        } catch AppStoreAPIError.unknown {
            return nil
        }
    }

    private func hasArrived(_ signedPayload: String?, of snapshot: Snapshot) async throws -> Bool {
        guard let signedPayload,
            let signed = try? await trust.verifier(of: snapshot.app).notification(signedPayload, nowMs: time.nowMs())
        else { return false }
        let values = NotificationName(signed).values(of: snapshot.app.id)
        return try await database.read { try $0.row(Self.arrivedText, values) != nil }
    }

    static let arrivedText = """
        SELECT 1 AS found FROM app_store_notification WHERE app_id = $1 AND environment = $2 AND notification_uuid = $3
        """
}

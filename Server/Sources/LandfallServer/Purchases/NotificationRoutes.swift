// SPDX-License-Identifier: Apache-2.0
import Foundation
package import Hummingbird
import LandfallPurchases
import LandfallRules
import LandfallWire
import NIOFoundationCompat

/// `POST /v1/app-store/notifications`: what the App Store reports about purchases. No key is needed, because Apple's signature proves
/// the sender. What is not verified leaves nothing but a count.
package struct NotificationRoutes: Sendable {
    package static let path = "/v1/app-store/notifications"
    /// Apple's have 19 KB; those of many seats are larger.
    static let bodyLimit = 256 * 1024

    private let store: NotificationStore
    private let trust: AppStoreTrust
    private let telemetry: PurchasesTelemetry
    private let time: ServerTime

    package init(store: NotificationStore, trust: AppStoreTrust, telemetry: PurchasesTelemetry, time: ServerTime) {
        (self.store, self.trust, self.telemetry, self.time) = (store, trust, telemetry, time)
    }

    private struct Notification: Decodable { let signedPayload: String }
    /// The answer: an empty object.
    package struct Taken: Encodable {}

    /// The answer leaves when the notification is on disk. Apple waits for it, and counts what takes long as failed: the work comes after it.
    @Sendable package func receive(_ request: Request, context: AppContext) async throws -> Answer<Taken> {
        let bytes = Data(buffer: try await request.wholeBody(upTo: Self.bodyLimit))
        let body = try Notification.decoded(from: bytes)
        let app = context.snapshot.app, nowMs = time.nowMs()
        let signed: SignedNotification
        do {
            signed = try await trust.verifier(of: app).notification(body.signedPayload, nowMs: nowMs)
        } catch {
            telemetry.refused(error)
            try context.requireTimely(error)
            throw error
        }
        let forwarding = ForwardedBody(in: context.snapshot.configuration.purchases, bytes, with: body.signedPayload)
        let isNew = try await context.takingPurchases("A notification") {
            try await store.add(signed, to: app.id, forwarding: forwarding, nowMs: nowMs)
        }
        telemetry.arrived(isNew ? .stored : .duplicate)
        return Answer(Taken())
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The newest hundred TEST notifications, and how their delivery went.
struct TestNotifications {
    struct Sent {
        let payload: NotificationPayload
        var attempts: [HeldLife.Attempt] = []
    }

    private static let limit = 100
    private var sent: [String: Sent] = [:]
    private var order: [String] = []

    subscript(token: String) -> Sent? { sent[token] }

    mutating func add(_ payload: NotificationPayload, _ token: String) {
        if order.count == Self.limit { sent[order.removeFirst()] = nil }
        order.append(token)
        sent[token] = Sent(payload: payload)
    }

    mutating func note(_ attempt: HeldLife.Attempt, _ token: String) { sent[token]?.attempts.append(attempt) }
}

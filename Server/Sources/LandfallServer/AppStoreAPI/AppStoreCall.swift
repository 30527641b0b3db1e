// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules
import LandfallStore
import LandfallWire

/// A question of the App Store Server API.
enum AppStoreCall: Hashable, Sendable {
    /// Notifications between two instants (Unix milliseconds) of which Apple got no good answer.
    case failedNotifications(fromMs: Int64, untilMs: Int64, page: String?)
    /// The newest transaction and renewal of each subscription of the customer who made a transaction.
    case statuses(String)
    /// All transactions of that customer, the least changed first.
    case history(String, revision: String?)
    case refunds(String, revision: String?)
    case requestTest
    case testStatus(token: String)

    /// How many calls a second Apple takes in production; in the sandbox a tenth.
    enum Pace: Int64, Hashable, Sendable { case usual = 50, refunds = 10, tests = 1 }

    var pace: Pace {
        switch self {
        case .refunds: .refunds
        case .requestTest: .tests
        default: .usual
        }
    }

    /// One word of a closed set, for metrics.
    var label: String {
        switch self {
        case .failedNotifications: "notifications"
        case .statuses: "statuses"
        case .history: "history"
        case .refunds: "refunds"
        case .requestTest: "test"
        case .testStatus: "test_status"
        }
    }

    /// After the host.
    var path: String {
        switch self {
        case .failedNotifications(_, _, let page): "/inApps/v1/notifications/history" + Self.query("paginationToken", page)
        case .statuses(let id): "/inApps/v1/subscriptions/" + Self.escaped(id)
        case .history(let id, let revision): "/inApps/v2/history/" + Self.escaped(id) + Self.query("revision", revision)
        case .refunds(let id, let revision): "/inApps/v2/refund/lookup/" + Self.escaped(id) + Self.query("revision", revision)
        case .requestTest: "/inApps/v1/notifications/test"
        case .testStatus(let token): "/inApps/v1/notifications/test/" + Self.escaped(token)
        }
    }

    var method: OutboundCall.Method {
        switch self {
        case .failedNotifications, .requestTest: .post
        default: .get
        }
    }

    private struct Window: Encodable {
        let startDate, endDate: Int64
        let onlyFailures = true
    }

    /// JSON; nil for a call without a body.
    var body: [UInt8]? {
        guard case .failedNotifications(let fromMs, let untilMs, _) = self else { return nil }
        return (try? WireCoding.encode(Window(startDate: fromMs, endDate: untilMs))).map { [UInt8]($0) }
    }

    private static func query(_ name: String, _ value: String?) -> String { value.map { "?\(name)=" + escaped($0) } ?? "" }

    /// Ids and tokens are other people's texts: nothing of them may be read as a part of the path.
    private static func escaped(_ text: String) -> String {
        text.percentEncoded.replacing(".", with: "%2E").replacing("~", with: "%7E")
    }
}

// What Apple answers. Nothing of it counts but signed texts, and what says where to go on.

struct FailedNotificationsAnswer: Decodable {
    struct Item: Decodable { let signedPayload: String }
    let notificationHistory: [Item]?
    let paginationToken: String?
    let hasMore: Bool?
}

struct StatusesAnswer: Decodable {
    struct Group: Decodable { let lastTransactions: [Last]? }
    struct Last: Decodable { let signedTransactionInfo, signedRenewalInfo: String? }
    let data: [Group]?
}

/// Also of refunds.
struct TransactionsAnswer: Decodable {
    let signedTransactions: [String]?
    let revision: String?
    let hasMore: Bool?
}

struct TestAnswer: Decodable { let testNotificationToken: String }

struct TestStatusAnswer: Decodable {
    struct Attempt: Decodable { let sendAttemptResult: String }
    let sendAttempts: [Attempt]?
    /// What Apple sends.
    let signedPayload: String?
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// One try to post a notification.
struct NotificationPost: Sendable {
    enum Subject: Hashable, Sendable {
        case event(life: Int, index: Int)
        case test(token: String)
    }

    /// When production tries again after a failure, in hours after the try before. The sandbox never does.
    static let waits: [Int64] = [1, 12, 24, 48, 72]

    let subject: Subject
    /// From 0.
    let attempt: Int
    let body: Data

    /// Success is 200 to 206. After 400 nothing is tried again, as people have seen since March 2026.
    static func isSuccess(_ status: Int) -> Bool { (200...206).contains(status) }
    static func isFinal(_ status: Int?) -> Bool { status == 400 || status.map(isSuccess) == true }

    /// Apple's word for how a try ended; nil is no answer.
    static func result(_ status: Int?) -> String {
        guard let status else { return "NO_RESPONSE" }
        return isSuccess(status) ? "SUCCESS" : "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
    }
}

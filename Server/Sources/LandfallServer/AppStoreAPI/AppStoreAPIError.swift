// SPDX-License-Identifier: Apache-2.0
import LandfallPurchases

/// Why Apple has not answered a question.
enum AppStoreAPIError: Error, Hashable, CustomStringConvertible {
    /// 401: the key is revoked or not for this, or issuer, key id and key do not belong together.
    case unauthorized
    /// 429, or a call before the end of that rest. Unix milliseconds.
    case limited(untilMs: Int64)
    /// 404: Apple knows no such transaction or test here.
    case unknown(code: Int?)
    /// The same call may succeed later.
    case passing(String)
    /// The same call fails again.
    case refused(status: Int, code: Int?)

    static let tooFarInPast = 4_000_012
    static let wrongPage = 4_000_014
    /// Apple's own list of errors that pass.
    private static let passingCodes: Set<Int> = [4_040_002, 4_040_004, 4_040_006, 5_000_001]

    var description: String {
        switch self {
        case .unauthorized:
            """
            Apple refuses the key of 'purchases.api' (401). Compare issuerId, keyId and the .p8 file with App Store Connect, Users and \
            Access, Integrations, In-App Purchase; a revoked key needs a new one. \
            It is asked with again after a day, and at once when one of them changes.
            """
        case .limited: "Apple takes no more calls just now (429). They go on when Apple says; nothing to do."
        case .unknown: "Apple knows nothing of it (404). Look whether the id is of this app."
        case .passing(let cause): "Apple gave no answer: \(cause). The server asks again; nothing to do."
        case .refused(let status, let code):
            "Apple refuses the question (\(status)\(code.map { ", \($0)" } ?? "")). Look the number up in Apple's list of error codes of the App Store Server API."
        }
    }

    /// For metrics.
    var label: String {
        switch self {
        case .unauthorized: "unauthorized"
        case .limited: "limited"
        case .unknown: "unknown"
        case .passing: "passing"
        case .refused: "refused"
        }
    }

    /// - Parameter code: `errorCode` of the body.
    init(status: Int, code: Int?, untilMs: Int64) {
        switch status {
        case 401: self = .unauthorized
        case 429: self = .limited(untilMs: untilMs)
        case _ where code.map { Self.passingCodes.contains($0) } == true: self = .passing("status \(status), \(code ?? 0)")
        case 404: self = .unknown(code: code)
        case 400..<500: self = .refused(status: status, code: code)
        default: self = .passing("status \(status)")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallWire

/// Why revenue is not answered as it was asked for. Errors about days and fields are those of all reports: ``ReportError``.
package enum RevenueError: Refusal, Hashable, Sendable {
    /// The name of no view.
    case view
    /// Neither true nor false.
    case verify
    case tooManyGroups

    package var code: ErrorCode { .invalidValue }

    package var description: String {
        switch self {
        case .view: notValid("view", "one of \(RevenueView.allCases.map(\.rawValue).joined(separator: ", ")).")
        case .verify: notValid("verify", "true or false.")
        case .tooManyGroups: notValid("by", "the report has more than \(RevenueReport.mostGroups) rows. Ask for fewer fields or days.")
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules
package import LandfallWire

/// The reason why an answer cannot be explained. Another try changes nothing.
package enum ExplanationError: Refusal, Hashable {
    case unknownInstall
    case unknownEvent
    /// The event is of another placement than the question.
    case otherPlacement
    /// The version of the configuration that decided cannot be built any more, with the reason.
    case unreadableVersion(Int64, String)

    package var code: ErrorCode {
        switch self {
        case .unknownInstall, .unknownEvent: .notFound
        case .otherPlacement, .unreadableVersion: .invalidValue
        }
    }

    package var description: String {
        switch self {
        case .unknownInstall: "There is no such install. Check the id; an erased person cannot be explained."
        case .unknownEvent: "The install has no event of that id. Check it: an event of another install is not found."
        case .otherPlacement: notValid("placement", "that event is not of this placement.")
        case .unreadableVersion(let number, let reason):
            notValid("exposure", "version \(number) of the configuration decided, and cannot be read here any more: \(reason)")
        }
    }
}

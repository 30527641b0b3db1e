// SPDX-License-Identifier: Apache-2.0
public import Foundation
import Landfall

/// An installation as the original's attribution service knows it. Landfall makes none: an app gets no value of this type.
public struct AdaptyInstallationDetails: Hashable, Sendable {
    public struct Payload: Hashable, Sendable {
        public let jsonString: String
        /// nil if the JSON is not an object.
        public var dictionary: [String: any Sendable]? {
            (try? JSONSerialization.jsonObject(with: Data(jsonString.utf8))) as? [String: any Sendable]
        }
    }

    public let id: String?
    public let installTime: Date
    public let appLaunchCount: Int
    public let payload: Payload?
}

public enum AdaptyInstallationStatus: Hashable, Sendable {
    case notAvailable
    case notDetermined
    case determined(AdaptyInstallationDetails)
}

extension Adapty {
    /// Always `.notAvailable`: Landfall's own words for it are `Adapty.client?.attribution` and the deferred link. The log says
    /// so once.
    public static func getCurrentInstallationStatus() async throws(AdaptyError) -> AdaptyInstallationStatus {
        say(.installations)
        return .notAvailable
    }

    public static func getCurrentInstallationStatus(
        _ completion: @escaping AdaptyResultCompletion<AdaptyInstallationStatus>
    ) {
        answer(completion) { try await getCurrentInstallationStatus() }
    }
}

extension Notice {
    static let installations = Notice(
        "getCurrentInstallationStatus is always notAvailable. Read Adapty.client?.attribution, and the deferred link for its parameters."
    )
}

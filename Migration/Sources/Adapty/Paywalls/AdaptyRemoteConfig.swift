// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall

/// The team's own values that come with a paywall, for one locale.
public struct AdaptyRemoteConfig: Hashable, Sendable, Codable {
    /// The locale that was found: the exact one, else the language, else the paywall's default.
    public let locale: String
    public let jsonString: String

    /// The values, decoded anew at each call; nil if the JSON is not an object.
    public var dictionary: [String: Any]? {
        (try? JSONSerialization.jsonObject(with: Data(jsonString.utf8))) as? [String: Any]
    }

    private enum CodingKeys: String, CodingKey {
        case locale = "lang", jsonString = "data"
    }

    init(_ config: RemoteConfig) {
        locale = config.locale
        jsonString = config.jsonString
    }
}

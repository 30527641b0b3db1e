// SPDX-License-Identifier: Apache-2.0
/// The phone's report about its ad token: `{"value": "…"}`, `"coming"`, or `{"none": "<reason>"}`.
public enum AdToken: Hashable, Sendable {
    case value(String)
    /// The phone has asked Apple; the token follows with `POST /v1/profiles/me/ad-token`.
    case coming
    case none(UnavailableReason)
}

extension AdToken: Codable {
    private enum Key: String, CodingKey { case value, coming, none, reason }

    public init(from decoder: any Decoder) throws {
        if let word = try? decoder.singleValueContainer().decode(String.self) {
            switch word {
            case "coming": self = .coming
            case "none": self = .none(.noToken)
            default:
                throw DecodingError.dataCorrupted(
                    .init(
                        codingPath: decoder.codingPath,
                        debugDescription: "adToken is {\"value\": …}, \"coming\" or {\"none\": reason}"
                    ))
            }
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        if let value = try container.decodeIfPresent(String.self, forKey: .value) {
            self = .value(value)
        } else if container.contains(.coming) {
            self = .coming
        } else if let none = try? container.nestedContainer(keyedBy: Key.self, forKey: .none) {
            // {"none": {"reason": "…"}}: the form of some other languages for a case with a value.
            self = .none(try none.decodeIfPresent(UnavailableReason.self, forKey: .reason) ?? .noToken)
        } else {
            self = .none(try container.decodeIfPresent(UnavailableReason.self, forKey: .none) ?? .noToken)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        switch self {
        case .coming:
            var container = encoder.singleValueContainer()
            try container.encode("coming")
        case .value(let value):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(value, forKey: .value)
        case .none(let reason):
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(reason, forKey: .none)
        }
    }
}

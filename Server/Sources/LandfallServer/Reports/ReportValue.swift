// SPDX-License-Identifier: Apache-2.0

/// A figure of a report: whole numbers stay whole.
public enum ReportValue: Hashable, Sendable, Codable {
    case count(Int64)
    /// A share, 0 to 1 where what is counted is among what it is compared with.
    case ratio(Double)

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = if let count = try? container.decode(Int64.self) { .count(count) } else { .ratio(try container.decode(Double.self)) }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .count(let count): try container.encode(count)
        case .ratio(let ratio): try container.encode(ratio)
        }
    }
}

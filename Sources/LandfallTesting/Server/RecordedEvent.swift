// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall
internal import LandfallWire

/// One of the app's own events, as the server got it.
public struct RecordedEvent: Hashable, Sendable {
    public var type: String
    /// Rounded to three decimals.
    public var value: Decimal?
    public var currency: String?
    public var properties: [String: AttributeValue]

    public init(
        _ type: String, value: Decimal? = nil, currency: String? = nil, properties: [String: AttributeValue] = [:]
    ) {
        self.type = type
        self.value = value.map { Self.rounded(EventValue(decimal: $0)) }
        self.currency = currency
        self.properties = properties
    }

    init(_ event: Event) {
        type = event.type.rawValue
        value = event.value.map(Self.rounded)
        currency = event.currency
        properties = event.properties ?? [:]
    }

    private static func rounded(_ value: EventValue) -> Decimal { Decimal(value.milliunits) / 1000 }
}

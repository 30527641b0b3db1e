// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The assumed world around the phones. Assumptions, not measurements: every number can be set.
///
/// Times are in milliseconds, shares are 0…1.
public struct Scenario: Hashable, Sendable, Codable {
    public var name: String
    /// Phones that did not come from an Apple Ads campaign.
    public var organic = 0.7

    // The phone
    /// The token arrives at a time between these two, all equally likely.
    public var tokenFrom = 50.0
    public var tokenTo = 300.0
    /// Phones on which AdServices never answers.
    public var tokenNever = 0.0

    // The network
    /// Log-normal, drawn once a phone.
    public var roundTripMedian = 80.0
    public var roundTripP95 = 300.0
    /// Round trips that set up a connection: 1 for TCP, which the phones here speak; 2 with TLS.
    public var setUpRoundTrips = 1.0
    /// Each way; 0 is unlimited.
    public var kilobitsPerSecond = 0.0
    /// Phones without any network.
    public var offline = 0.0
    /// Phones that were launched before, with a network: their files are there.
    public var cached = 0.0

    // Apple
    public var appleMedian = 250.0
    public var appleP95 = 900.0
    /// Tokens that are unknown to Apple at first.
    public var appleNotFoundFirst = 0.0
    public var appleNever = 0.0
    /// Tokens that only get errors: half of them 500, half of them broken JSON.
    public var appleBroken = 0.0

    // Faults. The first is a share of the pieces on a connection, the others are shares of connections.
    /// A lost packet delays all later ones until it is sent again.
    public var loss = 0.0
    public var reset = 0.0
    /// After some byte nothing more arrives, and the connection stays open.
    public var halfClosed = 0.0
    /// A proxy on the way collects an answer until it is complete.
    public var buffered = 0.0
    /// Another server answers with its own page.
    public var captivePortal = 0.0
    /// How often the server is killed and started again during the run.
    public var serverRestarts = 0.0

    public init(name: String) { self.name = name }

    /// The same with one number changed.
    /// - Throws: ``ScenarioError`` if there is no such number.
    public func setting(_ key: String, to value: Double) throws -> Scenario {
        let data = try JSONEncoder().encode(self)
        guard var numbers = try JSONSerialization.jsonObject(with: data) as? [String: Any], numbers[key] is NSNumber else {
            throw ScenarioError.unknownNumber(key, known: Self.numbers)
        }
        guard value.isFinite, value >= 0 else { throw ScenarioError.outOfRange(key, value) }
        numbers[key] = value
        return try JSONDecoder().decode(Scenario.self, from: JSONSerialization.data(withJSONObject: numbers))
    }

    /// The names of everything that can be set.
    public static var numbers: [String] {
        Mirror(reflecting: Scenario(name: "")).children.compactMap { $0.value is Double ? $0.label : nil }
    }
}

public enum ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownNumber(String, known: [String])
    case outOfRange(String, Double)

    public var description: String {
        switch self {
        case .unknownNumber(let key, let known): "A scenario has no number '\(key)'. It has \(known.joined(separator: ", "))."
        case .outOfRange(let key, let value): "\(key) is \(value); it has to be 0 or more."
        }
    }
}

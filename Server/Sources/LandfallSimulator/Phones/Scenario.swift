// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The assumed world around the phones. Assumptions, not measurements: every number can be set.
///
/// Times are in milliseconds, shares are 0…1.
package struct Scenario: Hashable, Sendable, Codable {
    package var name: String
    /// Phones that did not come from an Apple Ads campaign.
    var organic = 0.7

    // The phone
    /// The token arrives at a time between these two, all equally likely.
    var tokenFrom = 50.0
    var tokenTo = 300.0
    /// Phones on which AdServices never answers.
    var tokenNever = 0.0

    // The network
    /// Log-normal, drawn once a phone.
    var roundTripMedian = 80.0
    var roundTripP95 = 300.0
    /// Round trips that set up a connection: 1 for TCP, which the phones here speak; 2 with TLS.
    var setUpRoundTrips = 1.0
    /// Each way; 0 is unlimited.
    var kilobitsPerSecond = 0.0
    /// Phones without any network.
    var offline = 0.0
    /// Phones that were launched before, with a network: their files are there.
    var cached = 0.0

    // Apple
    var appleMedian = 250.0
    var appleP95 = 900.0
    /// Tokens that are unknown to Apple at first.
    var appleNotFoundFirst = 0.0
    var appleNever = 0.0
    /// Tokens that only get errors: half of them 500, half of them broken JSON.
    var appleBroken = 0.0

    // Faults. The first is a share of the pieces on a connection, the others are shares of connections.
    /// A lost packet delays all later ones until it is sent again.
    var loss = 0.0
    var reset = 0.0
    /// After some byte nothing more arrives, and the connection stays open.
    var halfClosed = 0.0
    /// A proxy on the way collects an answer until it is complete.
    var buffered = 0.0
    /// Another server answers with its own page.
    var captivePortal = 0.0
    /// How often the server is killed and started again during the run.
    package var serverRestarts = 0.0

    init(name: String) { self.name = name }

    /// The same with one number changed.
    /// - Throws: ``ScenarioError`` if there is no such number.
    package func setting(_ key: String, to value: Double) throws -> Scenario {
        let data = try JSONEncoder().encode(self)
        guard var numbers = try JSONSerialization.jsonObject(with: data) as? [String: Any], numbers[key] is NSNumber else {
            throw ScenarioError.unknownNumber(key, known: Self.numbers)
        }
        guard value.isFinite, value >= 0 else { throw ScenarioError.outOfRange(key, value) }
        numbers[key] = value
        return try JSONDecoder().decode(Scenario.self, from: JSONSerialization.data(withJSONObject: numbers))
    }

    /// The names of everything that can be set.
    static var numbers: [String] {
        Mirror(reflecting: Scenario(name: "")).children.compactMap { $0.value is Double ? $0.label : nil }
    }
}

enum ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknownNumber(String, known: [String])
    case outOfRange(String, Double)

    var description: String {
        switch self {
        case .unknownNumber(let key, let known): "A scenario has no number '\(key)'. It has \(known.joined(separator: ", "))."
        case .outOfRange(let key, let value): "\(key) is \(value); it has to be 0 or more."
        }
    }
}

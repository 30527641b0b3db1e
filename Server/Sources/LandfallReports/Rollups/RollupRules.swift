// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
package import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// What the computed days depend on besides the facts. Other rules mean other days: a new generation is computed, and the
/// reports read the old one meanwhile.
package struct RollupRules: Hashable, Sendable, Codable {
    struct Counted: Hashable, Sendable, Codable {
        let name: String
        let type: String
        let windowDays: Int64
    }

    /// Grows when a release computes something else of the same facts.
    static let form = RollupForm.versions

    package let form: Int
    package let timeZone: String
    /// The metrics that count own events, in the order of the counts.
    let metrics: [Counted]
    /// A hash of the test devices' installs.
    let testDevices: String

    /// - Parameter zone: nil for the one of the configuration.
    init(_ snapshot: Snapshot, in zone: ReportZone? = nil) {
        form = Self.form
        timeZone = (zone ?? snapshot.configuration.reportZone).name
        metrics = snapshot.metrics.compactMap { metric in
            metric.event.map { Counted(name: metric.name, type: $0.rawValue, windowDays: metric.windowDays) }
        }
        let devices = snapshot.configuration.testDevices.map(\.install.rawValue).sorted().joined(separator: ",")
        testDevices = Array(SHA256.hash(data: Data(devices.utf8)).prefix(8)).hexadecimal
    }

    var text: String { get throws { String(decoding: try WireCoding.encode(self), as: UTF8.self) } }

    init(_ text: String) throws { self = try WireCoding.decode(Self.self, from: Data(text.utf8)) }

    package var zone: ReportZone { ReportZone(timeZone) ?? .utc }
    var types: Set<Event.Kind> { Set(metrics.map { Event.Kind($0.type) }) }

    /// Of each metric its number among the counted ones; nil if these days do not count it.
    func numbers(of metrics: [Metric]) -> [Int?] {
        metrics.map { metric in
            metric.event.flatMap { type in
                self.metrics.firstIndex(of: .init(name: metric.name, type: type.rawValue, windowDays: metric.windowDays))
            }
        }
    }

    /// Whether days by these rules need facts of installs that were computed by `other` rules do not have.
    func needsInstalls(after other: RollupRules) -> Bool {
        form != other.form || testDevices != other.testDevices || !types.isSubset(of: other.types)
    }
}

/// What days count since which form of the rules.
enum RollupForm {
    /// Reinstalls have a count of their own.
    static let reinstalls = 5
    /// The unverified have one too, and there are days by link.
    static let unverified = 6
    /// There are days by version of the app.
    static let versions = 7
}

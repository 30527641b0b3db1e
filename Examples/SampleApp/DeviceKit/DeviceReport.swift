// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The results of a phone, to send to the project. It contains no person, no install and no address.
struct DeviceReport: Hashable, Sendable, Codable {
    struct Row: Hashable, Sendable, Codable {
        let check: String
        let verdict: String
    }

    /// Apple's name of the hardware, such as `iPhone15,2`.
    let device: String
    let system: String
    let app: String
    let launches: Int
    /// One for each check: the column of docs/features/apple.md.
    let rows: [Row]
    /// Every observation, so that a result can be checked.
    let observations: [Observation]

    init(_ observations: Observations, device: String, system: String, app: String) {
        self.device = device
        self.system = system
        self.app = app
        launches = observations.launches
        rows = DeviceCheck.all.map { Row(check: $0.id, verdict: $0.verdict(observations).text) }
        self.observations = observations.all
    }

    /// The shared file.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }

    /// The shared text: the file's content.
    var text: String { (try? json()).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Keeps observations over launches: one line of JSON each, appended. A line that cannot be read is skipped.
///
/// An actor, because hooks and streams write from several tasks.
actor ObservationFile {
    private let url: URL
    private let launch: Int
    private let begun = ContinuousClock.now
    private(set) var observations: Observations

    /// Reads the observations of earlier launches, and begins the next launch.
    init(_ url: URL) {
        self.url = url
        let decoder = JSONDecoder()
        let lines = (try? Data(contentsOf: url))?.split(separator: UInt8(ascii: "\n")) ?? []
        observations = Observations(lines.compactMap { try? decoder.decode(Observation.self, from: Data($0)) })
        launch = observations.launches + 1
    }

    func note(_ event: Observation.Event) {
        let passed = begun.duration(to: .now)
        let milliseconds = passed / .milliseconds(1)
        let observation = Observation(launch: launch, milliseconds: Int(milliseconds), event: event)
        observations.add(observation)
        append(observation)
    }

    /// Begins a new report.
    func removeAll() {
        observations = Observations()
        try? FileManager.default.removeItem(at: url)
    }

    private func append(_ observation: Observation) {
        guard let json = try? JSONEncoder().encode(observation) else { return }
        // The line break comes first, so that a line that a kill cut short ends here.
        let line = Data("\n".utf8) + json
        if let file = try? FileHandle(forWritingTo: url) {
            defer { try? file.close() }
            _ = try? file.seekToEnd()
            try? file.write(contentsOf: line)
        } else {
            try? FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? line.write(to: url, options: .atomic)
        }
    }
}

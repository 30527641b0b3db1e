// SPDX-License-Identifier: Apache-2.0
import Foundation
import VirtualWorlds

/// What all worlds of a run have in common, in each of its processes.
struct VirtualSetting: Hashable, Sendable {
    let parts: WorldParts
    /// The file.
    let configuration: String
    let planted: PlantedError?

    /// As a worker process is told.
    var arguments: [String] { ["--config", configuration] + options }

    /// What has to be said to see a world again.
    var options: [String] { parts.options + (planted.map { ["--plant", $0.rawValue] } ?? []) }

    /// - Throws: every problem of the configuration.
    func run() throws -> VirtualRun {
        try VirtualRun(yaml: String(contentsOfFile: configuration, encoding: .utf8), parts: parts, planted: planted)
    }
}

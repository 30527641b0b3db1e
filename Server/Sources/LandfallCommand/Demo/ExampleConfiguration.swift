// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Finds the repository's example configuration, for a command line without one.
enum ExampleConfiguration {
    static let place = "Examples/SelfHost/landfall.yaml"

    /// The given path, or the example's: below the working directory, or below a folder that contains this executable.
    static func path(given: String?) throws -> String {
        if let given { return given }
        let executable = URL(filePath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
        var folders = [URL(filePath: FileManager.default.currentDirectoryPath)]
        var folder = executable.deletingLastPathComponent()
        while folder.pathComponents.count > 1 {
            folders.append(folder)
            folder.deleteLastPathComponent()
        }
        for folder in folders {
            let candidate = folder.appending(path: place).path
            if FileManager.default.fileExists(atPath: candidate) { return candidate }
        }
        throw ConfigurationMissing()
    }
}

struct ConfigurationMissing: Error, CustomStringConvertible {
    var description: String {
        "\(ExampleConfiguration.place) is neither here nor beside this program. Name a configuration with --config."
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Finds the example configuration, for a command line without one.
enum ExampleConfiguration {
    static let place = "Examples/SelfHost/landfall.yaml"
    /// Where a release has it: in the folder of its archive, and where its package puts it, from the program's folder.
    static let releasedPlaces = ["landfall.yaml", "../share/doc/landfall/examples/landfall.yaml"]

    /// The given path, or the example's: below the working directory, below a folder that contains this executable, or where a release has
    /// it.
    static func path(
        given: String?, executable: URL? = Bundle.main.executableURL, directory: String = FileManager.default.currentDirectoryPath
    ) throws -> String {
        if let given { return given }
        var candidates = [URL(filePath: directory).appending(path: place)]
        if let own = executable?.resolvingSymlinksInPath().deletingLastPathComponent() {
            var folder = own
            while folder.pathComponents.count > 1 {
                candidates.append(folder.appending(path: place))
                folder.deleteLastPathComponent()
            }
            candidates += releasedPlaces.map { own.appending(path: $0).standardizedFileURL }
        }
        guard let found = candidates.map(\.path).first(where: FileManager.default.fileExists(atPath:)) else { throw ConfigurationMissing() }
        return found
    }
}

struct ConfigurationMissing: Error, CustomStringConvertible {
    var description: String {
        "\(ExampleConfiguration.place) is neither here nor beside this program. Name a configuration with --config."
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

extension Configuration {
    package static func text(ofFile path: String) throws -> String {
        guard let file = FileHandle(forReadingAtPath: path) else { throw ConfigurationStartError.unreadable(path) }
        defer { try? file.close() }
        // One byte more than the limit is enough for the reader to refuse the file.
        // An empty file is not an error here; a folder is one.
        guard let bytes = try? file.read(upToCount: ConfigurationText.largest + 1) ?? Data() else {
            throw ConfigurationStartError.unreadable(path)
        }
        // The reader refuses it for its size; the limit may cut a character in two.
        if bytes.count > ConfigurationText.largest { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ConfigurationStartError.notText(path) }
        return text
    }
}

/// Why there is no configuration to start with.
package enum ConfigurationStartError: Error, Hashable, CustomStringConvertible {
    case unreadable(String)
    case notText(String)
    case nothingToServe

    package var description: String {
        switch self {
        case .unreadable(let path): "The configuration '\(path)' cannot be read. Check the path and who may read it."
        case .notText(let path): "The configuration '\(path)' is not UTF-8. Save it as UTF-8."
        case .nothingToServe:
            "The store has no configuration. Start once with --config landfall.yaml; Examples/SelfHost/landfall.yaml is an example."
        }
    }
}

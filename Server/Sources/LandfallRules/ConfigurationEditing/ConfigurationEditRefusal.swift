// SPDX-License-Identifier: Apache-2.0

/// The reason why an entry of the file cannot be changed in place. The text is unchanged.
package enum ConfigurationEditRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file is not usable YAML.
    case unreadable(ConfigurationError)
    case absent(ConfigurationEditPath)
    /// The entry is an alias, which repeats values from another place.
    case repeated(ConfigurationEditPath, line: Int, definedIn: Int)
    /// The change would affect other entries too: through an alias, or because of the way in which they are written.
    case entangled(ConfigurationEditPath, line: Int)
    /// The end of the entry cannot be found in the form in which it is written.
    case unclear(ConfigurationEditPath, line: Int)
    /// The changed file could not be served.
    case invalid(ConfigurationError)

    package var description: String {
        switch self {
        case .unreadable(let error), .invalid(let error): error.description
        case .absent(let path): "The file has no '\(path)'. Look at the names and numbers on the way to it."
        case .repeated(let path, let line, let defined):
            "'\(path)' is repeated by an alias in line \(line). Change what it repeats, in line \(defined), or write the values out."
        case .entangled(let path, let line):
            "A change of '\(path)' would change other entries too. Edit line \(line) by hand: look for anchors (&) and aliases (*)."
        case .unclear(let path, let line):
            "'\(path)' is written in a form that cannot be changed in place. Edit line \(line) by hand."
        }
    }
}

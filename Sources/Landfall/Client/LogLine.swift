// SPDX-License-Identifier: Apache-2.0

/// One thing that the SDK has to say to a developer. Holds no secret, no token and no id of a person.
public struct LogLine: Hashable, Sendable, CustomStringConvertible {
    public enum Level: Int, Sendable, Comparable {
        case debug, info, warning, error
        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    public let level: Level
    /// What happened and what to do, or that nothing is needed.
    public let message: String

    public init(_ level: Level, _ message: String) {
        self.level = level
        self.message = message
    }

    public var description: String { "[landfall] \(level): \(message)" }

    /// Writes warnings and errors to standard error and drops the rest. Drops them too where nobody reads standard error: a
    /// closed or full pipe neither ends the app nor stops the thread.
    public static let toStandardError: @Sendable (LogLine) -> Void = { line in
        guard line.level >= .warning else { return }
        StandardError.write("\(line)\n")
    }
}

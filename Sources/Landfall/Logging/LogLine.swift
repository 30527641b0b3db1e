// SPDX-License-Identifier: Apache-2.0

/// A message of the SDK for a developer. It contains no secret, no token, no address and no id of a person.
public struct LogLine: Hashable, Sendable, CustomStringConvertible {
    public enum Level: Int, Sendable, Comparable {
        /// Each request, each change of state, and each paywall with its reason.
        case debug
        /// Worth knowing once in a launch.
        case info
        /// Something does not work fully; the text says what to do, or that nothing has to be done.
        case warning
        /// A mistake in the app or in the configuration; the text says how to correct it.
        case error

        public static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    /// The feature that a line is about. More may follow.
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let client = Category(rawValue: "client")
        public static let requests = Category(rawValue: "requests")
        public static let firstOpen = Category(rawValue: "first-open")
        public static let attribution = Category(rawValue: "attribution")
        public static let profiles = Category(rawValue: "profiles")
        public static let paywalls = Category(rawValue: "paywalls")
        public static let links = Category(rawValue: "links")
        public static let events = Category(rawValue: "events")
        public static let purchases = Category(rawValue: "purchases")
        public static let storage = Category(rawValue: "storage")
        /// How the app is set up.
        public static let setup = Category(rawValue: "setup")
    }

    public let level: Level
    public let category: Category
    /// What happened and what to do, or that nothing is needed.
    public let message: String

    public init(_ level: Level, _ message: String, category: Category = .client) {
        self.level = level
        self.category = category
        self.message = message
    }

    public var description: String { "[landfall] \(level) \(category.rawValue): \(message)" }

    /// Writes every line to standard error. Drops a line if standard error cannot take it: a closed or full pipe neither ends
    /// the app nor blocks the thread.
    public static let toStandardError: @Sendable (LogLine) -> Void = { line in StandardError.write("\(line)\n") }
}

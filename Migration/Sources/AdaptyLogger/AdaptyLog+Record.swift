// SPDX-License-Identifier: Apache-2.0
public import Foundation

extension AdaptyLog {
    /// One line of the log. It contains no secret, no token and no id of a person.
    public struct Record: Sendable, CustomStringConvertible {
        public let date: Date
        public let level: Level
        /// What happened and what to do, or that nothing is needed.
        public let message: String
        /// The feature that the line is about.
        public let category: Category
        /// Landfall's log has no source lines: this is the feature too.
        public let source: Source

        package init(date: Date, level: Level, message: String, category: Category) {
            self.date = date
            self.level = level
            self.message = message
            self.category = category
            source = Source(fileName: category.name, functionName: "", lineNumber: 0)
        }

        public var description: String { "\(date.formatted(.iso8601)) \(level) \(category): \(message)" }
    }

    public struct Category: Hashable, Sendable, CustomStringConvertible {
        public let subsystem: String
        public let version: String
        public let name: String

        package init(subsystem: String, version: String, name: String) {
            self.subsystem = subsystem
            self.version = version
            self.name = name
        }

        public var description: String { "[\(subsystem) \(version)] \(name)" }
    }

    public struct Source: Hashable, Sendable {
        public let fileName: String
        public let functionName: String
        public let lineNumber: UInt
    }
}

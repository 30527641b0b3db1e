// SPDX-License-Identifier: Apache-2.0
#if canImport(os)
public import Landfall
internal import os

extension LogLine {
    /// Writes to the system's log: subsystem `landfall`, a category for each feature. Filter by `subsystem:landfall` in Xcode's
    /// console and in Console; in a terminal use `log stream --level debug --predicate 'subsystem == "landfall"'`.
    public static let toUnifiedLog: @Sendable (LogLine) -> Void = { line in
        let logger = Logger(subsystem: "landfall", category: line.category.rawValue)
        // Public, because no line contains a secret or identifies a person.
        logger.log(level: line.level.logType, "\(line.message, privacy: .public)")
    }
}

extension LogLine.Level {
    fileprivate var logType: OSLogType {
        switch self {
        case .debug: .debug
        case .info: .info
        case .warning: .default
        case .error: .error
        }
    }
}
#endif

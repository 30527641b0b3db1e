// SPDX-License-Identifier: Apache-2.0
#if canImport(CoreFoundation)
import CoreFoundation
#endif
import Foundation
import Logging

/// How a line of the log is written.
struct LogForm: Hashable, Sendable {
    enum Format: String, CaseIterable, Sendable { case text, json }

    var format = Format.text
    /// Standard error goes to journald, which has its own times and takes a priority before each line.
    var isForJournal = false

    /// - Parameter at: Unix seconds.
    func line(_ level: Logger.Level, _ message: String, _ metadata: [String: String], label: String, at: Double) -> String {
        let priority = isForJournal ? "<\(level.journalPriority)>" : ""
        switch format {
        case .text:
            let fields = metadata.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value.withoutLineEnds)" }.joined()
            let start = isForJournal ? "" : Self.time(at) + " "
            return priority + start + "\(level) \(label):\(fields) \(message.withoutLineEnds)\n"
        case .json:
            var fields = metadata
            fields["time"] = Self.time(at)
            fields["level"] = level.rawValue
            fields["message"] = message
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return priority + ((try? encoder.encode(fields)).map { String(decoding: $0, as: UTF8.self) } ?? "{}") + "\n"
        }
    }

    private static func time(_ at: Double) -> String {
        Date(timeIntervalSince1970: at).formatted(.iso8601.year().month().day().timeZone(separator: .omitted).time(includingFractionalSeconds: true))
    }

    /// True if this process's standard error is the stream of journald that the variable names: a child's may be a pipe.
    static func isJournal(_ stream: String?, standardError: Int32 = STDERR_FILENO) -> Bool {
        var facts = stat()
        guard let stream, fstat(standardError, &facts) == 0 else { return false }
        return stream == "\(facts.st_dev):\(facts.st_ino)"
    }
}

extension Logger.Level {
    /// Of syslog.
    var journalPriority: Int {
        switch self {
        case .critical: 2
        case .error: 3
        case .warning: 4
        case .notice: 5
        case .info: 6
        case .debug, .trace: 7
        }
    }
}

extension String {
    /// One entry stays one line, even if an error's text contains line breaks.
    var withoutLineEnds: String {
        utf8.contains { $0 == 10 || $0 == 13 } ? String(map { $0.isNewline ? " " : $0 }) : self
    }

    /// Without the places of source files on the machine that built this program: they tell the operator nothing. A word that ends in
    /// `.swift`, or has `.swift:` in it, is left out.
    var withoutSourcePlaces: String {
        guard contains(".swift") else { return self }
        let words = split(separator: " ", omittingEmptySubsequences: false)
        return words.filter { !($0.contains("/") && $0.contains(".swift")) }.joined(separator: " ")
    }
}

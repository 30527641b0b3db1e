// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation
import LandfallWire
import Logging
import Synchronization

/// Writes the log of one process. Lines at notice and above are limited; the levels below are on only if the operator wants every line.
final class LimitedLog: Sendable {
    private let form: LogForm
    private let write: @Sendable (String) -> Void
    private let now: @Sendable () -> Double
    private let limit = Mutex(LogLimit())

    /// - Parameters:
    ///   - write: gets one whole line.
    ///   - now: Unix seconds.
    init(
        _ form: LogForm, now: @escaping @Sendable () -> Double = { Date().timeIntervalSince1970 },
        write: @escaping @Sendable (String) -> Void = { FileHandle.standardError.write(Data($0.utf8)) }
    ) {
        (self.form, self.now, self.write) = (form, now, write)
    }

    /// From now on writes once a minute how many lines were counted instead of written.
    func tellCounts() {
        let seconds = Int(LogLimit.interval.components.seconds)
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            self?.minute()
            self?.tellCounts()
        }
    }

    /// Call it at the end too, for the lines that were counted since the last minute.
    func minute() {
        for (subject, times) in limit.withLock({ $0.minute() }) {
            var fields = ["log.times": "\(times)"]
            if !subject.cause.isEmpty { fields["log.cause"] = subject.cause }
            write(form.line(.warning, "Again, and not logged each time: \(subject.message)", fields, label: "landfall", at: now()))
        }
    }

    fileprivate func log(_ event: LogEvent, _ metadata: Logger.Metadata, label: String) {
        let message = event.message.description.withoutSourcePlaces
        let fields = metadata.mapValues { $0.description.withoutSourcePlaces }
        if event.level >= .notice {
            let subject = LogLimit.Subject(message: message.cut(toBytes: LogLimit.longestCause), cause: Self.cause(fields))
            guard limit.withLock({ $0.admits(subject) }) else { return }
        }
        write(form.line(event.level, message, fields, label: label, at: now()))
    }

    /// The values that distinguish causes; ids, counts and times are not among them.
    private static let causes = ["error.text", "reason", "silence", "job.kind", "limit", "refusal.reason", "retention.rule"]

    private static func cause(_ fields: [String: String]) -> String {
        causes.compactMap { fields[$0] }.joined(separator: ", ").cut(toBytes: LogLimit.longestCause)
    }
}

/// A logger's way to the log of its process.
struct LimitedLogHandler: LogHandler {
    let log: LimitedLog
    let label: String
    var logLevel = Logger.Level.notice
    var metadata: Logger.Metadata = [:]
    var metadataProvider: Logger.MetadataProvider?

    init(_ log: LimitedLog, label: String) { (self.log, self.label) = (log, label) }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        var all = metadata
        if let given = metadataProvider?.get() { all.merge(given) { $1 } }
        if let given = event.metadata { all.merge(given) { $1 } }
        if let error = event.error, all["error.text"] == nil { all["error.text"] = "\(error)" }
        log.log(event, all, label: label)
    }
}

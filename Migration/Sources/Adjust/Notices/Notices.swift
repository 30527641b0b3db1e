// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallAppClient

/// The log of this module. It mentions each name that does nothing here, and each method that is never called, once in a launch.
///
/// `@unchecked Sendable`: every access to `said` and `_level` holds `lock`.
final class Notices: @unchecked Sendable {
    private let lock = NSLock()
    private let output: @Sendable (LogLine) -> Void
    private var said: Set<String> = []
    private var _level = ADJLogLevel.info

    init(_ output: @escaping @Sendable (LogLine) -> Void = LogLine.toPlatform) { self.output = output }

    /// The level that the app wants.
    var level: ADJLogLevel {
        get { lock.withLock { _level } }
        set { lock.withLock { _level = newValue } }
    }

    func say(_ name: IdleName) { sayOnce("\(name.name) does nothing here. \(name.instead)") }

    func say(_ method: UncalledMethod) { sayOnce("\(method.selector) of AdjustDelegate is never called. \(method.instead)") }

    /// The sentences are those of two closed sets.
    private func sayOnce(_ sentence: String) {
        let isNew = lock.withLock { said.insert(sentence).inserted }
        if isNew { log(.warning, sentence) }
    }

    func log(_ level: LogLine.Level, _ message: String) { write(LogLine(level, message, category: .setup)) }

    /// Also for the client's own lines.
    func write(_ line: LogLine) {
        if let least = level.least, line.level >= least { output(line) }
    }
}

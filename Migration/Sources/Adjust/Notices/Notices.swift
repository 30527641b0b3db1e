// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallAppClient

/// What this module logs. Of a name that does nothing here it says so once in a launch.
///
/// `@unchecked Sendable`: every access to `said` and `_level` holds `lock`.
final class Notices: @unchecked Sendable {
    private let lock = NSLock()
    private let output: @Sendable (LogLine) -> Void
    private var said: Set<IdleName> = []
    private var _level = ADJLogLevel.info

    init(_ output: @escaping @Sendable (LogLine) -> Void = LogLine.toPlatform) { self.output = output }

    /// What the app wants to read.
    var level: ADJLogLevel {
        get { lock.withLock { _level } }
        set { lock.withLock { _level = newValue } }
    }

    func say(_ name: IdleName) {
        let isNew = lock.withLock { said.insert(name).inserted }
        if isNew { log(.warning, "\(name.name) does nothing here. \(name.instead)") }
    }

    func log(_ level: LogLine.Level, _ message: String) { write(LogLine(level, message, category: .setup)) }

    /// Also for the client's own lines.
    func write(_ line: LogLine) {
        if let least = level.least, line.level >= least { output(line) }
    }
}

// SPDX-License-Identifier: Apache-2.0
import AdaptyLogger
import Foundation
import Landfall
import LandfallAppClient

/// Sends every line of this module and of its client to the app's handler, else to the platform's own log.
///
/// `@unchecked Sendable`: every access to `state` holds `lock`.
final class LogDesk: @unchecked Sendable {
    private struct State {
        var level = AdaptyLog.Level.warn
        var handler: AdaptyLog.Handler?
        var said: Set<Notice> = []
    }

    private let lock = NSLock()
    private var state = State()
    private let write: @Sendable (LogLine) -> Void

    /// - Parameter write: takes the lines of an app that sets no handler.
    init(write: @escaping @Sendable (LogLine) -> Void = LogLine.toPlatform) { self.write = write }

    var level: AdaptyLog.Level {
        get { lock.withLock { state.level } }
        set { lock.withLock { state.level = newValue } }
    }

    var handler: AdaptyLog.Handler? {
        get { lock.withLock { state.handler } }
        set { lock.withLock { state.handler = newValue } }
    }

    /// Calls no other code while it holds the lock.
    func log(_ line: LogLine) {
        let (level, handler) = lock.withLock { (state.level, state.handler) }
        guard line.level >= level.least else { return }
        guard let handler else { return write(line) }
        handler(AdaptyLog.Record(line))
    }

    /// Says what a call cannot do here and what replaces it: once in a process.
    func say(_ notice: Notice) {
        guard lock.withLock({ state.said.insert(notice).inserted }) else { return }
        log(LogLine(.warning, notice.text, category: .setup))
    }

    func hasSaid(_ notice: Notice) -> Bool { lock.withLock { state.said.contains(notice) } }
}

/// A name that exists only so that code compiles, and does nothing. Its sentence says what to use instead.
package struct Notice: Hashable, Sendable {
    package let text: String
    package init(_ text: String) { self.text = text }
}

extension Adapty {
    /// For the other modules of this package.
    package static func say(_ notice: Notice) { Activation.current.log.say(notice) }
}

extension AdaptyLog.Record {
    fileprivate init(_ line: LogLine) {
        self.init(
            date: Date(),
            level: AdaptyLog.Level(line.level),
            message: line.message,
            category: AdaptyLog.Category(subsystem: "landfall", version: Adapty.SDKVersion, name: line.category.rawValue)
        )
    }
}

extension AdaptyLog.Level {
    fileprivate init(_ level: LogLine.Level) {
        switch level {
        case .error: self = .error
        case .warning: self = .warn
        case .info: self = .info
        case .debug: self = .debug
        }
    }

    fileprivate var least: LogLine.Level {
        switch self {
        case .error: .error
        case .warn: .warning
        case .info: .info
        case .verbose, .debug: .debug
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import AdaptyLogger
import Foundation
import Landfall
import Testing

@Suite("The log", .timeLimit(.minutes(1)))
struct LogDeskTests {
    private let lines = LogLines()
    private var desk: LogDesk { LogDesk(write: { [lines] in lines.append($0) }) }

    @Test(
        "Each level includes those before it",
        arguments: [
            (AdaptyLog.Level.error, 1), (.warn, 2), (.info, 3), (.verbose, 4), (.debug, 4),
        ])
    func levels(level: AdaptyLog.Level, count: Int) {
        let desk = desk
        desk.level = level

        for one in [LogLine.Level.error, .warning, .info, .debug] { desk.log(LogLine(one, "text")) }

        #expect(lines.all.count == count)
    }

    @Test("The app's handler gets the lines of its level, instead of the system's log")
    func handler() {
        let desk = desk
        let records = Records()
        desk.handler = { records.append($0) }

        desk.log(LogLine(.warning, "text", category: .links))
        desk.log(LogLine(.debug, "unwanted"))

        #expect(lines.all.isEmpty)
        #expect(records.all.map(\.message) == ["text"])
        #expect(records.all.first?.level == .warn)
        #expect(records.all.first?.category.name == "links")
        #expect(records.all.first?.category.version == Adapty.SDKVersion)
    }

    @Test("Without a handler the lines go to the system's log again")
    func noHandler() {
        let desk = desk
        desk.handler = { _ in }
        desk.handler = nil

        desk.log(LogLine(.error, "text"))

        #expect(lines.all.count == 1)
    }

    @Test("A notice is said once; another one is said too")
    func once() {
        let desk = desk

        desk.say(.proxy)
        desk.say(.proxy)
        desk.say(.serverCluster)

        #expect(lines.all.map(\.message) == [Notice.proxy.text, Notice.serverCluster.text])
        #expect(lines.all.allSatisfy { $0.level == .warning && $0.category == .setup })
    }
}

/// Keeps what a handler got.
///
/// `@unchecked Sendable`: `lock` guards `records`.
final class Records: @unchecked Sendable {
    private let lock = NSLock()
    private var records: [AdaptyLog.Record] = []

    var all: [AdaptyLog.Record] { lock.withLock { records } }
    func append(_ record: AdaptyLog.Record) { lock.withLock { records.append(record) } }
}

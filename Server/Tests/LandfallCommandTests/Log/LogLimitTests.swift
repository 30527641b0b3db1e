// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging
import Synchronization
import Testing

@testable import LandfallCommand

@Suite("The log")
struct LogLimitTests {
    private final class Written: Sendable {
        private let kept = Mutex<[String]>([])
        var lines: [String] { kept.withLock { $0 } }
        func add(_ line: String) { kept.withLock { $0.append(line) } }
    }

    private func logged(_ form: LogForm = LogForm(), _ body: (Logger, LimitedLog) -> Void) -> [String] {
        let written = Written()
        let log = LimitedLog(form, now: { 1_795_000_000.25 }, write: { written.add($0) })
        var logger = Logger(label: "landfall") { LimitedLogHandler(log, label: $0) }
        logger.logLevel = .info
        body(logger, log)
        return written.lines
    }

    @Test("writes the first lines about a failure at once, then one line a minute with the number of lines")
    func limited() {
        let lines = logged { logger, log in
            for _ in 0..<15_700 { logger.error("A request failed.", metadata: ["error.text": "disk I/O error", "request.id": "\(UUID())"]) }
            log.minute()
            for _ in 0..<100 { logger.error("A request failed.", metadata: ["error.text": "disk I/O error"]) }
            log.minute()
        }

        #expect(lines.count == LogLimit.first + 2)
        #expect(lines[5].contains("log.times=15695") && lines[5].contains("log.cause=disk I/O error") && lines[5].contains("A request failed."))
        #expect(lines[6].contains("log.times=100"))
    }

    @Test("distinguishes causes, and starts again after a quiet minute")
    func causes() {
        let lines = logged { logger, log in
            for _ in 0..<9 { logger.warning("No answer.", metadata: ["error.text": "a"]) }
            logger.warning("No answer.", metadata: ["error.text": "b"])
            log.minute()
            log.minute()
            logger.warning("No answer.", metadata: ["error.text": "a"])
        }

        #expect(lines.count == LogLimit.first + 1 + 1 + 1)
        #expect(lines.last?.contains("error.text=a No answer.") == true)
    }

    @Test("has a bounded table of causes")
    func bounded() {
        var limit = LogLimit()
        var admitted = 0
        for number in 0..<10_000 where limit.admits(.init(message: "m", cause: "\(number)")) { admitted += 1 }

        #expect(admitted == LogLimit.mostSubjects + LogLimit.first)
        #expect(limit.minute().map(\.times) == [10_000 - admitted])
    }

    @Test("does not limit lines below notice, because the operator asked for them")
    func verbose() {
        #expect(logged { logger, _ in for _ in 0..<50 { logger.info("Request answered.") } }.count == 50)
    }

    @Test("has one line for each entry, in each form")
    func forms() throws {
        let metadata: Logger.Metadata = ["error.text": "two\nlines", "number": "1"]
        let text = logged { logger, _ in logger.error("Failed.", metadata: metadata) }
        let journal = logged(LogForm(isForJournal: true)) { logger, _ in
            logger.error("Failed.", metadata: metadata)
            logger.notice("Started.")
        }
        let json = logged(LogForm(format: .json)) { logger, _ in logger.warning("Failed.", metadata: metadata) }

        #expect(text.count == 1 && text[0].hasSuffix(" error landfall: error.text=two lines number=1 Failed.\n"))
        #expect(text[0].hasPrefix("2026-11-18T"))
        #expect(journal == ["<3>error landfall: error.text=two lines number=1 Failed.\n", "<5>notice landfall: Started.\n"])
        let object = try JSONDecoder().decode([String: String].self, from: Data(json[0].utf8))
        #expect(object["level"] == "warning" && object["message"] == "Failed." && object["error.text"] == "two\nlines")
        #expect(json[0].filter { $0 == "\n" }.count == 1)
    }

    @Test("recognises journald's stream by its file, not only by the variable")
    func journal() throws {
        #expect(!LogForm.isJournal(nil))
        #expect(!LogForm.isJournal("1:1"))
        #expect(Set([Logger.Level.critical, .error, .warning, .notice, .info, .debug].map(\.journalPriority)) == [2, 3, 4, 5, 6, 7])
    }

    @Test("has no place of a source file in it")
    func places() {
        let lines = logged { logger, _ in
            logger.error("Ended.", metadata: ["error.text": "ServiceGroupError: finished, file: /build/Sources/ServiceGroup.swift:173 at a/b.txt"])
        }

        #expect(lines.count == 1 && !lines[0].contains(".swift") && lines[0].contains("a/b.txt"))
        #expect("landfall.swift is no path".withoutSourcePlaces == "landfall.swift is no path")
    }
}

// SPDX-License-Identifier: Apache-2.0
#if os(Linux)  // The stand-in: a test cannot read the system's own log.
import Foundation
import LandfallApple
import Testing
import os

@Suite("The system's log", .timeLimit(.minutes(1)))
struct UnifiedLogTests {
    @Test(
        "Each level maps to the system's, each feature to its category, and the text is readable",
        arguments: [
            (LogLine.Level.debug, OSLogType.debug), (.info, .info), (.warning, .default), (.error, .error),
        ])
    func lines(level: LogLine.Level, type: OSLogType) {
        let text = "A line \(UUID())."

        LogLine.toUnifiedLog(LogLine(level, text, category: .paywalls))

        let line = SimulatedLog.lines.first { $0.text == text }
        #expect(line == .init(subsystem: "landfall", category: "paywalls", level: type, text: text))
    }

    @Test("The live configuration writes there, from level info up")
    func live() {
        let configuration = LandfallConfiguration.live(sdkKey: "pk_test", server: URL(string: "https://api.example.com")!)
        let text = "A line \(UUID())."

        configuration.log(LogLine(.info, text))

        #expect(configuration.minimumLogLevel == .info)
        #expect(SimulatedLog.lines.contains { $0.text == text })
    }
}
#endif

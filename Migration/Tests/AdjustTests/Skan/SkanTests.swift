// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Testing

@Suite("Conversion values", .timeLimit(.minutes(1)))
@MainActor
struct SkanTests {
    @Test("are not set: the completion gets an error that says what to call, on the main thread")
    func refused() async {
        let app = StartedApp(), answers = Completions()

        app.connection.refuseSkan { answers.call($0.map { "\($0)" } ?? "nil") }
        app.connection.refuseSkan(nil)
        await answers.wait()

        #expect(answers.links == ["\(SkanNotHere())"])
        #expect(answers.links[0].contains("SKAdNetwork"))
        #expect(app.lines.texts().count == 1)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallSimulator

@Suite("The demo's report", .timeLimit(.minutes(1)))
struct DemoReportTests {
    @Test("gives the time from Apple's attribution to the paywall, if there was one before it")
    func afterAnswer() throws {
        let inTime = launch([(.answer(status: 404), 100), (.answer(status: 200), 400)], paywall: "a", at: 404, phone: "in time")
        let tooLate = launch([(.answer(status: 200), 5_400)], paywall: "b", at: 5_000, phone: "too late")

        let report = DemoReport(server: "", deadline: .seconds(5), launches: [inTime, tooLate])

        #expect(report.phones.map { $0.launches[0].millisecondsAfterAnswer } == [4, nil])
    }

    @Test("gives for each phone what each launch showed, when and why")
    func document() throws {
        let first = launch(
            [(.token, 120), (.answer(status: 404), 300), (.answer(status: 200), 5_400)],
            paywall: "default", at: 320, phone: "Apple says 404"
        )
        let none = launch([], paywall: nil, at: 5_000, phone: "unlucky", origin: "none", requests: 0)

        let report = DemoReport(server: "http://127.0.0.1:1", deadline: .seconds(5), launches: [first, none])
        let text = String(decoding: try WireCoding.encode(report), as: UTF8.self)

        #expect(
            text == """
                {"deadlineMilliseconds":5000,"firstLaunch":{"late":0,"longestMilliseconds":5000,"medianMilliseconds":320,\
                "opens":2,"requestsPerOpen":0.5,"targeted":0,"withoutPaywall":1},"phones":[{"launches":[{"appleAnswers":\
                [{"milliseconds":300,"status":404},{"milliseconds":5400,"status":200}],"attribution":"pending",\
                "elapsedMilliseconds":320,"number":1,"origin":"matchingAudience","paywall":"default","requests":1,\
                "targeted":false,"tokenMilliseconds":120}],"name":"Apple says 404"},{"launches":[{"appleAnswers":[],\
                "attribution":"pending","elapsedMilliseconds":5000,"number":1,"origin":"none","requests":0,"targeted":false}],\
                "name":"unlucky"}],"secondLaunch":{"late":0,"longestMilliseconds":0,"medianMilliseconds":0,"opens":0,\
                "requestsPerOpen":0,"targeted":0,"withoutPaywall":0},"server":"http://127.0.0.1:1"}
                """
        )
    }
}

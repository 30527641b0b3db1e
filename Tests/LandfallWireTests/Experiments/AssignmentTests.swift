// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@Suite("The variation of an experiment, on the wire", .timeLimit(.minutes(1)))
struct AssignmentTests {
    private static let assignment = Assignment(experiment: "spring-price", epoch: 1, variation: "B", bucket: 402_675)

    private static func answer(_ assignment: Assignment?) -> PaywallAnswer {
        var answer = PaywallAnswer(
            placement: "onboarding", locale: "en-us", kind: .matching, audience: AudienceID("apple-ads-users"), revision: 7,
            profileId: ProfileID("i_0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e0f"), epoch: 1_764_000_000_000, profileVersion: 3,
            attributionVersion: 1, final: true, paywall: nil
        )
        answer.assignment = assignment
        return answer
    }

    @Test("An answer that shows nothing by an experiment is pinned by its golden file")
    func nothing() throws {
        try expectGolden(FirstOpenLine.paywall(Self.answer(Self.assignment)), "line-paywall-nothing-assigned")
    }

    @Test("A decision is pinned by its golden file")
    func decided() throws {
        var event = Event(id: "0198f0c2-7b1a-7c3d-8e4f-5a6b7c8d9e10", type: .paywallDecided, ageMilliseconds: 250)
        event.placement = "onboarding"
        event.variationId = Self.assignment.variationId
        event.audience = AudienceID("apple-ads-users")
        event.revision = 7
        event.origin = "matchingAudience"
        event.assignment = Self.assignment

        try expectGolden(EventBatch(events: [event]), "decided-event-batch")
    }

    @Test("An assignment of another form never hides the paywall", arguments: ["7", "{}", #"{"experiment":"spring-price"}"#, "null"])
    func broken(json: String) throws {
        let whole = String(decoding: try WireCoding.encode(Self.answer(Self.assignment)), as: UTF8.self)
        let assignment = String(decoding: try WireCoding.encode(Self.assignment), as: UTF8.self)
        let text = whole.replacingOccurrences(of: assignment, with: json)

        #expect(text != whole)
        #expect(try WireCoding.decode(PaywallAnswer.self, from: Data(text.utf8)) == Self.answer(nil))
    }

    @Test("A request without assignments has the bytes that older servers know")
    func absent() throws {
        let request = FirstOpenRequest(device: DeviceFacts(), adToken: .coming, placements: [], holdMilliseconds: 0)

        #expect(!String(decoding: try WireCoding.encode(request), as: UTF8.self).contains("assignments"))
    }

    @Test("Experiments and variations are compared by their bytes")
    func bytes() {
        #expect(ExperimentID("\u{212A}") != "K")
        #expect(VariationName("e\u{301}") != "\u{E9}")
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import Landfall

@Suite("What an installation remembers of experiments", .timeLimit(.minutes(1)))
struct ExperimentMemoryTests {
    private static func assignment(_ number: Int, _ variation: VariationName = "A") -> Assignment {
        Assignment(experiment: ExperimentID("e\(number)"), epoch: 1, variation: variation, bucket: 7)
    }

    @Test("The newest 32 assignments are kept, one for each experiment")
    func bounds() {
        var memory = ExperimentMemory()

        let isNews = (0..<40).map { memory.keep(Self.assignment($0)) }
        let kept = memory.echo
        let isKnownNews = memory.keep(Self.assignment(39)), isOtherNews = memory.keep(Self.assignment(20, "B"))

        #expect(kept == (8..<40).map { Self.assignment($0) })
        #expect(isNews.allSatisfy(\.self) && !isKnownNews && isOtherNews)
        #expect(memory.assignments.count == 32)
        #expect(memory.assignments.last == Self.assignment(20, "B"))
    }

    @Test("Reports are bounded, and each is remembered until newer ones replace it")
    func reports() {
        var memory = ExperimentMemory()

        let first = (0...ExperimentMemory.mostReports).map { memory.decide(Self.assignment($0), by: 1) }
        let known = memory.decide(Self.assignment(1), by: 1), replaced = memory.decide(Self.assignment(0), by: 1)

        #expect(first.allSatisfy(\.self) && !known && replaced)
        #expect(memory.reports.count == ExperimentMemory.mostReports)
    }

    @Test("An older store's answer, or one to another person, reports nothing again; a newer store's does")
    func stores() {
        var memory = ExperimentMemory()

        let reported = [2_000, 1_000, 2_003, 3_500, 3_501].map { memory.decide(Self.assignment(1), by: $0) }

        #expect(reported == [true, false, false, true, false])
        #expect(memory.isReported(Self.assignment(1)))
    }

    @Test("A store counts as a later one from a second after the other's beginning on", arguments: [(999, false), (1_000, true)] as [(Int64, Bool)])
    func laterStore(after: Int64, isLater: Bool) {
        var memory = ExperimentMemory()
        _ = memory.decide(Self.assignment(1), by: 5_000)

        #expect(memory.decide(Self.assignment(1), by: 5_000 + after) == isLater)
    }

    @Test("A stored paywall of another variation reports its decision, and the copy stays what the server said last")
    func olderVariation() {
        var memory = ExperimentMemory()
        _ = memory.keep(Self.assignment(1, "B"))

        let isReported = memory.decide(Self.assignment(1, "A"), by: 1)

        #expect(isReported)
        #expect(memory.echo == [Self.assignment(1, "B")])
    }

    @Test("A phone without assignments sends none")
    func empty() { #expect(ExperimentMemory().echo == nil) }
}

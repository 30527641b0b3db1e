// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode
@testable import LandfallServer
@testable import LandfallStore

@Suite("What changed about a store")
struct StoreConditionTests {
    private func counts(done: Int = 0, ended: Int = 0, failure: String? = nil, waiting: Int = 0) -> WriteCounts {
        var counts = WriteCounts()
        (counts.units, counts.endedGroups, counts.isFailing, counts.failure) = (done, ended, failure != nil, failure)
        counts.waitingBy = [.interactive: waiting]
        return counts
    }

    @Test("is logged once when it begins and once when it ends, with failures and seconds")
    func failing() {
        var condition = StoreCondition()

        #expect(condition.look(counts(done: 3), damage: nil, nowMs: 0) == [])
        #expect(condition.look(counts(done: 3, ended: 2, failure: "disk full"), damage: nil, nowMs: 1_000) == [.failing("disk full")])
        #expect(condition.look(counts(done: 3, ended: 9, failure: "disk full"), damage: nil, nowMs: 31_000) == [])
        #expect(!condition.isGood)
        #expect(condition.look(counts(done: 4, ended: 9), damage: nil, nowMs: 61_000) == [.works(failures: 9, seconds: 60)])
        #expect(condition.isGood)
        #expect(condition.look(counts(done: 5, ended: 9), damage: nil, nowMs: 62_000) == [])
    }

    @Test("names a disk that hangs: writes wait and none is written")
    func silent() {
        var condition = StoreCondition()

        #expect(condition.look(counts(done: 1, waiting: 4), damage: nil, nowMs: 0) == [])
        #expect(condition.look(counts(done: 2, waiting: 9), damage: nil, nowMs: 4_000) == [], "it writes")
        #expect(condition.look(counts(done: 2, waiting: 9), damage: nil, nowMs: 8_999) == [])
        #expect(condition.look(counts(done: 2, waiting: 9), damage: nil, nowMs: 9_000) == [.silent(seconds: 5)])
        #expect(condition.look(counts(done: 2, waiting: 50), damage: nil, nowMs: 20_000) == [])
        #expect(condition.look(counts(done: 52), damage: nil, nowMs: 21_000) == [.works(failures: 0, seconds: 12)])
    }

    @Test("does not call an idle store silent, nor one whose clock went back")
    func idle() {
        var condition = StoreCondition()

        #expect(condition.look(counts(), damage: nil, nowMs: 100_000) == [])
        #expect(condition.look(counts(), damage: nil, nowMs: 200_000) == [])
        #expect(condition.look(counts(waiting: 1), damage: nil, nowMs: 0) == [])
        #expect(condition.look(counts(waiting: 1), damage: nil, nowMs: 1_000) == [])
    }

    @Test("logs damage once")
    func damage() {
        var condition = StoreCondition()

        #expect(condition.look(counts(), damage: "malformed", nowMs: 0) == [.damaged("malformed")])
        #expect(condition.look(counts(), damage: "malformed", nowMs: 1_000) == [])
        #expect(!condition.isGood)
    }

    @Test("Failures in a row end with their number and time, once")
    func trouble() {
        let trouble = Trouble()

        #expect(trouble.worked(nowMs: 0) == nil)
        #expect(trouble.failed(nowMs: 1_000))
        #expect(!trouble.failed(nowMs: 2_000))
        #expect(trouble.worked(nowMs: 4_000) == Trouble.Past(failures: 2, milliseconds: 3_000))
        #expect(trouble.worked(nowMs: 5_000) == nil)
    }
}

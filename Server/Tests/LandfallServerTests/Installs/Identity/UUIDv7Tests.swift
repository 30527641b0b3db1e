// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("Ids grow with time", .timeLimit(.minutes(1)))
struct UUIDv7Tests {
    @Test("An id is a lower-case UUID of version 7 that begins with its time")
    func shape() {
        let id = UUIDv7.make(nowMs: 0x0123_4567_89AB)

        #expect(id.isLowerCaseUUID)
        #expect(id.hasPrefix("01234567-89ab-7"))
        #expect("89ab".contains(Array(id)[19]))
        #expect(UUIDv7.make(nowMs: 1) < UUIDv7.make(nowMs: 2))
    }

    @Test("No two ids are equal, even within a millisecond")
    func unique() {
        #expect(Set((0..<1_000).map { _ in UUIDv7.make(nowMs: 1) }).count == 1_000)
    }
}

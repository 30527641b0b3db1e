// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Landfall

@Suite("What a launch has to store", .timeLimit(.minutes(1)))
struct FileStateTests {
    @Test("is only the outbox until the files have been read")
    func beforeReading() {
        var files = FileState()
        files.changed(.profile)
        #expect(files.storesFrom(isOpen: false) == nil)

        files.storeOutboxNow()

        #expect(files.storesFrom(isOpen: false) == .zero)
        let before = files.takeStorable(isOpen: false), after = files.takeStorable(isOpen: true)
        #expect(before == [.outbox])
        #expect(after == [.profile])
        #expect(files.isAllStored)
    }

    @Test("waits after a refusal at most 30 seconds; what is accepted then is tried at once")
    func refused() {
        var files = FileState()
        files.changed(.paywalls)
        for _ in 0..<8 {
            let names = files.takeStorable(isOpen: true)
            files.failedToStore(names, now: .zero, chance: 0.5)
        }
        #expect(files.storesFrom(isOpen: true) == .seconds(30))

        files.storeOutboxNow()

        #expect(files.storesFrom(isOpen: true) == .zero)
        let names = files.takeStorable(isOpen: true)
        #expect(names == [.paywalls, .outbox])
    }

    @Test("is nothing once it is forgotten")
    func forgotten() {
        var files = FileState()
        files.changed(.profile)

        files.forget()

        #expect(files.storesFrom(isOpen: true) == nil)
    }
}

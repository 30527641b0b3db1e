// SPDX-License-Identifier: Apache-2.0
import LandfallDatabase
import Synchronization
import Testing

@testable import LandfallServer

@Suite("Clicks on their way to the disk", .timeLimit(.minutes(1)))
struct ClickRecorderTests {
    private let store = HeldClicks()
    private let answers = Answers()

    private func recorder() -> ClickRecorder { ClickRecorder(store, of: TestStore.app) }

    private func record(_ name: String, _ recorder: ClickRecorder) {
        recorder.record(.named(name)) { answers.add(name, $0) }
    }

    @Test("that wait at the time share a unit, those that come later the next")
    func shared() {
        let recorder = recorder()
        for name in ["a", "b"] { record(name, recorder) }
        #expect(store.unitCount == 1)

        store.pass(meanwhile: { record("c", recorder) })

        #expect(answers.all == ["a": "stored", "b": "stored"])
        #expect(store.stored.map(\.click.id) == ["a", "b"])
        #expect(store.unitCount == 1)
        store.pass()
        #expect(answers.all["c"] == "stored")
        #expect(store.unitCount == 0)
    }

    @Test("are answered when their unit is on disk, not before")
    func order() {
        let recorder = recorder()
        record("a", recorder)

        store.pass(meanwhile: { #expect(answers.all.isEmpty) })

        #expect(answers.all == ["a": "stored"])
    }

    @Test("are at most so many in a unit, and none is left behind")
    func most() {
        let recorder = recorder()
        let names = (0...ClickRecorder.most).map { "\($0)" }
        for name in names { record(name, recorder) }

        store.pass()
        #expect(store.stored.count == ClickRecorder.most)
        store.pass()

        #expect(store.stored.map(\.click.id) == names)
        #expect(answers.all.count == names.count)
    }

    @Test("all hear that the store is busy or full, also before their turn", arguments: [true, false])
    func refused(isTheirTurn: Bool) {
        let recorder = recorder()
        for name in ["a", "b"] { record(name, recorder) }

        if isTheirTurn {
            store.pass(endingWith: { _ in DatabaseError.retry("full") })
        } else {
            store.refuse(DatabaseError.diskLow)
        }

        #expect(answers.all == ["a": "not stored", "b": "not stored"])
        #expect(store.unitCount == 0)
        record("c", recorder)
        store.pass()
        #expect(answers.all["c"] == "stored")
    }

    @Test("of which one cannot be stored are stored without it", arguments: [DatabaseError.failed("x"), .forbiddenCharacter])
    func isolated(error: DatabaseError) {
        let recorder = recorder()
        for name in ["a", "bad", "c"] { record(name, recorder) }
        let fails: ([ClickEntry]) -> (any Error)? = { $0.contains { $0.click.id == "bad" } ? error : nil }

        for _ in 0..<4 { store.pass(endingWith: fails) }

        #expect(answers.all == ["a": "stored", "bad": "not stored", "c": "stored"])
        #expect(store.stored.map(\.click.id) == ["a", "c"])
        #expect(store.unitCount == 0)
    }
}

/// What became of each click; a second answer shows.
private final class Answers: Sendable {
    private let answers = Mutex<[String: String]>([:])
    var all: [String: String] { answers.withLock { $0 } }

    func add(_ name: String, _ result: Result<Void, any Error>) {
        let text = if case .success = result { "stored" } else { "not stored" }
        answers.withLock { $0[name] = ($0[name] ?? "") + text }
    }
}

extension ClickEntry {
    fileprivate static func named(_ id: String) -> ClickEntry {
        ClickEntry(
            click: Click(
                id: id, atMs: 0, kind: .person, platform: .ios, host: "go.example.com", path: LinkPath(stored: "/beach"),
                outcome: .store, visitor: nil, country: nil, labels: LinkLabels()))
    }
}

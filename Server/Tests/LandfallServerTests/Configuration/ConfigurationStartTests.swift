// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import LandfallRules
@testable import LandfallServer

@Suite("A start publishes the file, or serves what is stored", .timeLimit(.minutes(1)))
struct ConfigurationStartTests {
    let testStore: TestStore
    let store: ConfigurationStore
    var folder: URL { testStore.folder }

    init() async throws {
        testStore = try await TestStore()
        store = ConfigurationStore(testStore.database)
    }

    private func file(_ text: String, named name: String = "landfall.yaml") throws -> String {
        let url = folder.appending(path: name)
        try Data(text.utf8).write(to: url)
        return url.path
    }

    @Test("An empty store gets the file as version 1")
    func first() async throws {
        let snapshot = try await Configuration.start(file: file(Sample.base), store: store, nowMs: 5)

        #expect(snapshot.revision == 1)
        #expect(try await store.newest() == .init(number: 1, text: Sample.base, publishedAtMs: 5, author: "landfall serve"))
    }

    @Test("The same file again is the same version; a changed one is the next")
    func changes() async throws {
        let path = try file(Sample.base)

        let revisions = [
            try await Configuration.start(file: path, store: store, nowMs: 1).revision,
            try await Configuration.start(file: path, store: store, nowMs: 2).revision,
            try await Configuration.start(file: file(Sample.base + "# changed\n"), store: store, nowMs: 3).revision,
            try await Configuration.start(file: file(Sample.base), store: store, nowMs: 4).revision,
        ]

        #expect(revisions == [1, 1, 2, 3])
    }

    @Test(
        "Beside other nodes an earlier file is not published again, whichever side owns the configuration: the newest version is served, and both are named",
        arguments: [ConfigurationOwner.store, .file])
    func replaced(owner: ConfigurationOwner) async throws {
        let old = try file(Sample.base, named: "old.yaml"), new = try file(Sample.base + "# changed\n", named: "new.yaml")
        var kept: [ConfigurationStore.FileKept] = []
        func start(_ path: String) async throws -> Int64 {
            try await Configuration.start(
                file: path, owner: owner, isAlone: { false }, store: store, nowMs: 1, onKept: { kept.append($1) }
            ).revision
        }

        // A deployment gives one node after the other the new file, and one with the old file is restarted meanwhile.
        let revisions = [try await start(old), try await start(new), try await start(old), try await start(new), try await start(old)]

        #expect(revisions == [1, 2, 2, 2, 2])
        #expect(kept == [.replaced(1), .replaced(1)])
    }

    @Test("Whether a start may go back is asked only where it would, because the answer may take seconds")
    func asked() async throws {
        let old = try file(Sample.base, named: "old.yaml"), new = try file(Sample.base + "# changed\n", named: "new.yaml")
        let asked = Count()
        var revisions: [Int64] = []

        for path in [old, old, new, old, old] {
            let isAlone: @Sendable () -> Bool = {
                asked.increment()
                return true
            }
            revisions.append(try await Configuration.start(file: path, isAlone: isAlone, store: store, nowMs: 1).revision)
        }

        #expect(revisions == [1, 1, 2, 3, 3])
        #expect(asked.value == 1)
    }

    @Test("A file of another app is refused beside other nodes, before anything is stored; alone the app gets another id")
    func anotherApp() async throws {
        _ = try await Configuration.start(file: file(Sample.base), store: store, nowMs: 1)
        let other = try file(Sample.base.replacing("id: sample", with: "id: second"), named: "second.yaml")

        await #expect(throws: StoreOfAnotherApp(served: AppID("sample"), file: AppID("second"))) {
            _ = try await Configuration.start(file: other, isAlone: { false }, store: store, nowMs: 2)
        }
        #expect(try await store.newestNumber() == 1)

        #expect(try await Configuration.start(file: other, store: store, nowMs: 3).revision == 2)
    }

    @Test("Without a file the newest stored version is served")
    func stored() async throws {
        _ = try await Configuration.start(file: file(Sample.base), store: store, nowMs: 1)

        let snapshot = try await Configuration.start(file: nil, store: store, nowMs: 2)

        #expect(snapshot.revision == 1)
        #expect(snapshot.app(ofKey: "pk_sample", nowMs: 0) == AppID("sample"))
    }

    @Test("Without a file and a stored version, the error says how to begin")
    func neither() async throws {
        await #expect(throws: ConfigurationStartError.nothingToServe) {
            _ = try await Configuration.start(file: nil, store: store, nowMs: 1)
        }
    }

    @Test("A file with problems is not published")
    func problems() async throws {
        let path = try file("app: {}\n")

        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await Configuration.start(file: path, store: store, nowMs: 1)
        }

        #expect(error?.description.contains("\(path):1:6: 'app' needs 'id'. Add it.") == true)
        #expect(try await store.newest() == nil)
    }

    @Test(
        "A file that cannot be served does not stop a start if the store has a version: that version is served, and the reason is reported",
        arguments: ["app: {}\n", "{ not: [yaml", nil])
    func kept(text: String?) async throws {
        _ = try await Configuration.start(file: file(Sample.base), store: store, nowMs: 1)
        _ = try await store.publish(Sample.base + "extra: 2\n", nowMs: 2)
        let path = try text.map { try file($0) } ?? "/nowhere.yaml"

        var refused: [String] = []
        let snapshot = try await Configuration.start(
            file: path, owner: .file, store: store, nowMs: 3, onRefused: { refused.append("\($0)") })

        #expect(snapshot.revision == 1)
        #expect(refused.count == 1 && refused[0].contains(path))
        #expect(try await store.newest()?.number == 2)
    }

    @Test("If no stored version can be served either, the file's problems are the error")
    func neitherServed() async throws {
        _ = try await store.publish("app: {}\n", nowMs: 1)
        let path = try file("app: {}\n")

        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await Configuration.start(file: path, store: store, nowMs: 2)
        }

        #expect(error?.file == path)
    }

    @Test("A stored version that this release cannot read is named")
    func unreadableVersion() async throws {
        _ = try await store.publish("app: {}\n", nowMs: 1)

        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await Configuration.start(file: nil, store: store, nowMs: 2)
        }

        #expect(error?.file == "configuration version 1")
    }

    @Test("Versions that cannot be built here are named, and the newest that can be is served")
    func lookedBack() async throws {
        _ = try await store.publish(Sample.base, nowMs: 1)
        for number in 2...3 { _ = try await store.publish(Sample.base + "extra: \(number)\n", nowMs: 2) }

        var unbuilt: [Int64] = []
        let snapshot = try await Configuration.start(file: nil, store: store, nowMs: 3, onUnbuilt: { number, _ in unbuilt.append(number) })

        #expect(snapshot.revision == 1)
        #expect(unbuilt == [3, 2])
    }

    @Test("A missing path, a folder and a file that is not text are refused with advice")
    func unreadable() async throws {
        let binary = folder.appending(path: "binary.yaml")
        try Data([0x61, 0xFF, 0xFE]).write(to: binary)

        await #expect(throws: ConfigurationStartError.unreadable("/nowhere.yaml")) {
            _ = try await Configuration.start(file: "/nowhere.yaml", store: store, nowMs: 1)
        }
        await #expect(throws: ConfigurationStartError.unreadable(folder.path)) {
            _ = try await Configuration.start(file: folder.path, store: store, nowMs: 1)
        }
        await #expect(throws: ConfigurationStartError.notText(binary.path)) {
            _ = try await Configuration.start(file: binary.path, store: store, nowMs: 1)
        }
    }

    @Test("A file that is too large is refused after its first 4 MiB")
    func tooLarge() async throws {
        let path = try file(String(repeating: "é", count: ConfigurationText.largest))

        let error = await #expect(throws: ConfigurationError.self) {
            _ = try await Configuration.start(file: path, store: store, nowMs: 1)
        }

        #expect(error?.problems.first?.message.hasPrefix("The file is larger than 4 MiB.") == true)
    }

    @Test("Starts at the same moment agree on one version")
    func together() async throws {
        let path = try file(Sample.base)

        let revisions = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<8 { group.addTask { try await Configuration.start(file: path, store: store, nowMs: 1).revision } }
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(revisions == Array(repeating: 1, count: 8))
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A node that hears of a change", .timeLimit(.minutes(1)))
struct ChangeObserverTests {
    private static let app = TestStore.app
    private static let phones = [Credential.mayasPhone, .mayasTablet].map(\.installID)
    private let time = ServerTime(nowMs: { TestStore.noon }, sleep: { _ in })
    private let holds = HeldAnswers()
    private let live = LiveFeed()
    private let jobs = Count(), versions = Count()

    private func observer(_ store: TestStore, links: Links? = nil, keys: AddressKeys? = nil) -> ChangeObserver {
        ChangeObserver(
            InstallCache(), links ?? Links(store: store.links), holds, live, keys ?? AddressKeys(store.database), jobAdded: jobs.increment,
            versionAdded: versions.increment)
    }

    /// What each of two phones' held answers wakes for.
    private func wakes(of hear: (ChangeObserver) -> Void) async throws -> [String] {
        let held = try Self.phones.map { try #require(holds.take(.plain, app: Self.app, install: $0)) }
        let store = try await TestStore()
        hear(observer(store))
        var names: [String] = []
        for hold in held {
            names.append(await hold.wait(for: .zero, time: time).name)
            holds.release(hold)
        }
        return names
    }

    @Test("wakes what is held for that install, and nothing else")
    func install() async throws {
        #expect(try await wakes { $0.hear(.changed([.install(Self.phones[0], in: Self.app)])) } == ["changed", "time"])
        #expect(try await wakes { $0.hear(.changed([.erased(Self.phones[1], in: Self.app)])) } == ["time", "changed"])
        #expect(try await wakes { $0.hear(.changed([.install(Self.phones[0], in: AppID("other")), .job])) } == ["time", "time"])
        #expect(jobs.value == 1)
    }

    @Test("wakes everything if it may have missed changes")
    func missed() async throws {
        #expect(try await wakes { $0.hear(.missed) } == ["changed", "changed"])
        #expect(jobs.value == 1 && versions.value == 1)
    }

    @Test("looks for the newest version of the configuration when one was published")
    func version() async throws {
        #expect(try await wakes { $0.hear(.changed([.configuration])) } == ["time", "time"])
        #expect(versions.value == 1 && jobs.value == 0)
    }

    @Test("reads a link again that another node has changed")
    func link() async throws {
        let place = LinkPlace(host: "go.example.com", path: LinkPath(stored: "/a/b")), other = LinkPlace(host: "go.example.com", path: LinkPath(stored: "/a"))
        let store = try await TestStore(), links = Links(store: store.links), memory = links.memory
        func remember() { for one in [place, other] { memory.remember(nil, at: one, readAtMs: 0, memory.mark) } }
        func known() -> [Bool] { [place, other].map { memory.link(at: $0, nowMs: 0) != nil } }

        remember()
        observer(store, links: links).hear(.changed([.link(place, in: Self.app), .install(Self.phones[0], in: Self.app)]))
        #expect(known() == [false, true])
        remember()
        observer(store, links: links).hear(.missed)
        #expect(known() == [false, false])
    }

    @Test("forgets the key of address matching that another node has deleted, and reads it again if it may have missed that")
    func addressKey() async throws {
        let store = try await TestStore(), keys = AddressKeys(store.database), other = AddressKeys(store.database)
        let observer = observer(store, keys: keys), now = TestStore.noon
        let observation = store.database.observers.add { observer.hear($0) }
        func isKnown() -> Bool { keys.known(nowMs: now) != nil }
        let key = try await keys.prepared(nowMs: now)

        _ = try await AddressKeyExpiry(keys: other, app: Self.app, matching: AddressMatching()).forgetSome(nowMs: now)
        #expect(isKnown())
        observer.hear(.missed)
        #expect(!isKnown())
        #expect(try await keys.prepared(nowMs: now) == key)
        _ = try await AddressKeyExpiry(keys: other, app: Self.app, matching: nil).forgetSome(nowMs: now)
        #expect(!isKnown())
        #expect(try await keys.prepared(nowMs: now) != key)
        withExtendedLifetime(observation) {}
    }

    @Test("shows nothing of an erased install on the live page")
    func erased() async throws {
        let store = try await TestStore()
        for phone in Self.phones { live.add(.firstOpen, atMs: TestStore.noon, "", [.init(.install, phone.rawValue)]) }
        let before = live.rows(after: 0, nil, limit: 10).count

        observer(store).hear(.changed([.erased(Self.phones[0], in: Self.app)]))

        #expect(before == 2 && live.rows(after: 0, nil, limit: 10).compactMap(\.install) == [Self.phones[1].rawValue])
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import Testing

@Suite("Closures that observe links", .timeLimit(.minutes(1)))
struct LinkObservationTests {
    let clock = ManualClock()
    let storage = MemoryStorage()

    private func client() -> LandfallClient {
        let client = ScriptedServer(clock: clock).client(storage: storage) { configuration in
            configuration.links = LinkRules(domains: LinkDomains(schemes: ["example"]))
        }
        client.start()
        return client
    }

    private let beach = URL(string: "example://beach")!

    @MainActor private final class Screens {
        var links: [ReceivedLink] = []
        var handled: [@Sendable () -> Void] = []
    }

    /// The links that the next launch of the app gets.
    private func linksOfNextLaunch() async throws -> [URL] {
        let next = client()
        let later = URL(string: "example://later")!
        next.receive(later)
        var seen: [URL] = []
        for await link in next.links {
            link.markTaken()
            if link.original == later { break }
            seen.append(link.original)
        }
        await next.shutdown()
        return seen
    }

    @Test("A link counts as handled when the closure has returned")
    @MainActor
    func performed() async throws {
        let client = client()
        let screens = Screens()
        client.receive(beach)

        let observation = client.observeLinks { screens.links.append($0) }
        try await clock.run { while await screens.links.isEmpty, !Task.isCancelled { await Task.yield() } }
        await clock.pass(.zero)
        observation.cancel()
        await client.shutdown()

        #expect(screens.links.map(\.original) == [beach])
        #expect(try await linksOfNextLaunch() == [])
    }

    @Test("A link counts as handled when `handled` is called; otherwise it comes again at the next launch", arguments: [true, false])
    @MainActor
    func handled(isHandled: Bool) async throws {
        let client = client()
        let screens = Screens()
        client.receive(beach)

        let observation = client.observeLinks { link, handled in
            screens.links.append(link)
            screens.handled.append(handled)
        }
        try await clock.run { while await screens.handled.isEmpty, !Task.isCancelled { await Task.yield() } }
        if isHandled { screens.handled.forEach { $0() } }
        observation.cancel()
        await client.shutdown()

        #expect(try await linksOfNextLaunch() == (isHandled ? [] : [beach]))
    }

    @Test("A link that is on its way to a listener when that one ends reaches the next listener in the same launch")
    func onItsWay() async throws {
        let disk = StalledStorage()
        let client = ScriptedServer(clock: clock).client { configuration in
            configuration.storage = disk
            configuration.links = LinkRules(domains: LinkDomains(schemes: ["example"]))
        }
        client.start()
        try await clock.run { await client.waitForProfile() }
        client.receive(beach)
        disk.stall()
        let first = Task { [client] () -> ReceivedLink? in
            for await link in client.links { return link }
            return nil
        }
        await disk.waitUntilBlocked()

        first.cancel()
        disk.release()
        #expect(await first.value == nil)

        var next = client.links.makeAsyncIterator()
        #expect(await next.next()?.original == beach)
        await client.shutdown()
    }
}

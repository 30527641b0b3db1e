// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("The inbox", .timeLimit(.minutes(1)))
struct InboxTests {
    let phone = Phone()

    init() throws { try phone.answersLinks() }

    @Test("Links come in the order of arrival, each once, a slow one before later ones")
    func order() async throws {
        let client = phone.linkApp()
        phone.opens { [phone] request in
            try await phone.clock.sleep(until: phone.clock.now.advanced(by: .seconds(1)))
            return LinkOpenAnswer(status: .resolved, original: request.url, resolved: URL.beach.absoluteString)
        }
        client.receive(.scheme("first"))
        client.receive(.short)
        client.receive(.scheme("third"))
        client.start()
        let listening = Task {
            var seen: [URL] = []
            for await link in client.links {
                seen.append(link.original)
                if seen.count == 3 { break }
            }
            return seen
        }

        await phone.pass(.seconds(2))

        #expect(await listening.value == [.scheme("first"), .short, .scheme("third")])
        await client.shutdown()
    }

    @Test("A link waits two and a half seconds to be resolved, then it comes unresolved; its click is not lost")
    func silentServer() async throws {
        let client = phone.linkApp()
        phone.server.on("POST", WirePath.linkOpen) { [phone] _ in try await phone.never() }
        client.start()
        await client.waitForProfile()
        let listening = Task { await client.nextLink() }
        await phone.settle()
        client.receive(.short)

        await phone.pass(.milliseconds(2_499))
        try phone.answersLinks()
        phone.clock.advance(by: .milliseconds(1))

        let link = await listening.value
        #expect(link?.status == .timedOut)
        #expect(link?.resolved == .short)
        await phone.pass(.seconds(2))
        await phone.server.waitForRequests("POST", WirePath.linkOpen, count: 2)
        #expect(phone.linkRequests.count == 2, "The outbox sends what the question left behind.")
        #expect(try phone.recordedClicks().count == 1)
        await client.shutdown()
    }

    @Test("Without a listener a failed link is tried again, and is ready for the next listener")
    func failedBefore() async throws {
        let client = await phone.startedLinkApp()
        phone.server.isOffline = true
        client.receive(.short)
        await phone.pass(.seconds(5))
        #expect(phone.linkRequests.count > 1)
        phone.server.isOffline = false

        let link = await client.nextLink()

        #expect(link?.status == .resolved)
        await client.shutdown()
    }

    @Test("Offline the link comes at once")
    func offline() async throws {
        phone.server.isOffline = true
        let client = phone.linkApp()
        client.start()
        await phone.settle()

        client.receive(.short)

        #expect(await client.nextLink()?.status == .offline)
        await client.shutdown()
    }

    @Test(
        "Before start, and while the files cannot be read, links wait two and a half seconds for older ones",
        arguments: [true, false])
    func beforeStart(isLocked: Bool) async throws {
        phone.storage.isLocked = isLocked
        let client = phone.linkApp()
        if isLocked { client.start() }
        client.receive(.scheme)
        let listening = Task { await client.nextLink() }
        await phone.settle()

        #expect(try await phone.clock.run(upTo: .milliseconds(2_500)) { await listening.value }?.original == .scheme)
        #expect(phone.log.warnings.isEmpty == !isLocked)
        await client.shutdown()
    }

    @Test("Links that arrive while the device is locked are stored as soon as possible, and come after a kill")
    func locked() async throws {
        phone.storage.isLocked = true
        let client = phone.linkApp()
        #expect(client.receive(.scheme))
        phone.storage.isLocked = false
        client.start()
        await client.waitForProfile()
        await client.shutdown()

        let next = phone.killed().linkApp()
        next.start()

        #expect(await next.nextLink()?.original == .scheme)
        await next.shutdown()
    }
}

// MARK: Kills

extension InboxTests {
    @Test("Killed before there was a listener: the link comes at the next launch, unmarked, and is recorded once")
    func killedBefore() async throws {
        let first = phone.linkApp()
        first.receive(.short, scene: "a")
        await phone.outboxHolds("go.link")
        let next = phone.killed()
        let client = next.linkApp()
        client.start()

        let link = await client.nextLink()

        #expect(link?.resolved == .beach)
        #expect(link?.isRedelivered == false)
        #expect(link?.scene == "a")
        await client.waitForProfile()
        #expect(try next.recordedClicks().count == 1)
        await client.shutdown()
        await first.shutdown()
    }

    @Test("Killed before it was handled, a link comes again and is marked; handled, it is gone", arguments: [true, false])
    func killedAfter(isTaken: Bool) async throws {
        let first = phone.linkApp()
        first.start()
        first.receive(.universal)
        let link = await first.nextLink()
        if isTaken { link?.markTaken() }
        // Its click may be done before it.
        await phone.storageHolds(.outbox) { text in
            text.split(separator: "\n").contains { $0.contains(isTaken ? "\"done\"" : "handedOver") && $0.contains(".in\"") }
        }
        let next = phone.killed()
        await first.shutdown()
        let client = next.linkApp()
        client.receive(.scheme("new"))
        client.start()

        let again = await client.nextLink()

        #expect(again?.original == (isTaken ? .scheme("new") : .universal), "Older links come first.")
        #expect(again?.isRedelivered == !isTaken)
        if !isTaken { #expect(await client.nextLink()?.original == .scheme("new")) }
        await client.shutdown()
    }

    @Test("A link comes again at each launch until it is handled")
    func redeliveredAgain() async throws {
        var phone = phone
        let first = phone.linkApp()
        first.receive(.universal)
        await phone.outboxHolds("summer-clothes")
        for round in 0..<3 {
            phone = phone.killed()
            let client = phone.linkApp()
            client.start()
            let link = try #require(await client.nextLink())
            #expect(link.isRedelivered == (round > 0))
            #expect(link.original == .universal)
            if round == 2 { link.markTaken() }
            await client.shutdown()
        }
        phone = phone.killed()
        let last = phone.linkApp()
        last.receive(.scheme("new"))
        last.start()

        #expect(await last.nextLink()?.original == .scheme("new"))
        await last.shutdown()
        await first.shutdown()
    }

    @Test("A delivered link is not delivered again within the launch, handled or not")
    func onceALaunch() async throws {
        let client = phone.linkApp()
        client.start()
        client.receive(.scheme("one"))
        #expect(await client.nextLink()?.original == .scheme("one"))

        client.receive(.scheme("two"))

        #expect(await client.nextLink()?.original == .scheme("two"))
        await client.shutdown()
    }

    @Test("Handled after the client is gone counts as handled")
    func takenLate() async throws {
        var client: LandfallClient? = phone.linkApp()
        client?.start()
        client?.receive(.universal)
        let link = await client?.nextLink()
        await client?.shutdown()
        client = nil

        link?.markTaken()

        // Of the link itself: its click may be done before.
        await phone.storageHolds(.outbox) { $0.contains(".in\"]") }
        let next = phone.killed().linkApp()
        next.receive(.scheme("new"))
        next.start()
        #expect(await next.nextLink()?.original == .scheme("new"))
        await next.shutdown()
    }

    @Test("An unhandled link is dropped after its lifetime", arguments: [(6, true), (8, false)])
    func expiry(days: Int, isThere: Bool) async throws {
        let first = phone.linkApp()
        first.receive(.universal)
        await first.shutdown()
        await phone.outboxHolds("summer-clothes")
        phone.clock.advance(by: .seconds(days * 86_400))
        let next = phone.killed()
        let client = next.linkApp()
        client.receive(.scheme("new"))
        client.start()

        let link = await client.nextLink()

        #expect(link?.original == (isThere ? .universal : .scheme("new")))
        if isThere { #expect(link?.age == .seconds(days * 86_400)) }
        await client.shutdown()
    }

    @Test("A link that is tapped again replaces the one from an earlier launch; it is another click")
    func tappedAgain() async throws {
        let first = phone.linkApp()
        first.receive(.universal)
        await phone.outboxHolds("summer-clothes")
        let next = phone.killed()
        let client = next.linkApp()
        client.start()
        await client.waitForProfile()
        await next.settle()

        client.receive(.universal)
        client.receive(.scheme("new"))

        let link = await client.nextLink()
        #expect(link?.original == .universal)
        #expect(link?.isRedelivered == false)
        #expect(await client.nextLink()?.original == .scheme("new"))
        try await next.eventually { try next.recordedClicks().count == 3 }
        await client.shutdown()
        await first.shutdown()
    }

    @Test("A tap that starts the app replaces the same link from before the files could be read; only in its own scene")
    func tappedAgainAtStart() async throws {
        let first = phone.linkApp()
        first.receive(.universal)
        first.receive(.scheme("old"), scene: "left")
        first.receive(.scheme("both"), scene: "left")
        await first.shutdown()
        await phone.outboxHolds("example://both")
        let next = phone.killed()
        let client = next.linkApp()
        client.receive(.universal, scene: "right")
        client.receive(.scheme("both"))
        client.receive(.scheme("both"), scene: "right")
        client.start()

        var seen: [URL] = []
        for _ in 0..<3 { seen.append(try #require(await client.nextLink()).original) }

        #expect(Array(seen.prefix(2)) == [.scheme("old"), .scheme("both")])
        #expect(seen.last == .universal)
        #expect(await client.nextLink()?.original == .scheme("both"))
        try await next.eventually { try next.recordedClicks().count == 5 }
        await client.shutdown()
    }

    @Test("If the files have two taps on one link, because a launch was killed before it read them, the newer one counts")
    func tappedAgainWhileLocked() async throws {
        let first = phone.linkApp()
        first.receive(.universal)
        first.receive(.scheme("between"))
        await first.shutdown()
        await phone.outboxHolds("example://between")
        let second = phone.killed()
        second.storage.isLocked = true
        let locked = second.linkApp()
        locked.start()
        await second.settle()
        second.storage.isLocked = false
        locked.receive(.universal)
        await second.outboxHolds("summer-clothes", lines: 2)
        let third = second.killed()
        let client = third.linkApp()
        client.start()
        await client.waitForProfile()
        await third.settle()
        client.receive(.scheme("last"))

        var seen: [URL] = []
        for _ in 0..<3 { seen.append(try #require(await client.nextLink()).original) }

        #expect(seen == [.scheme("between"), .universal, .scheme("last")])
        try await third.eventually { try third.recordedClicks().count == 4 }
        await client.shutdown()
        await locked.shutdown()
    }

    @Test("At most a hundred links wait; the oldest go first")
    func full() async throws {
        let client = phone.linkApp()
        for number in 0...100 { client.receive(.scheme("\(number)")) }
        client.start()

        #expect(await client.nextLink()?.original == .scheme("1"))
        await client.shutdown()
    }
}

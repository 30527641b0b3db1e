// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("What a hook receives while the files are read", .timeLimit(.minutes(1)))
struct ReceivedWhileOpeningTests {
    let phone = Phone()

    init() throws { try phone.answersLinks() }

    @Test("A link comes once, also if it is in a file before the inbox has it")
    func link() async throws {
        let meeting = Meeting(phone, until: "example.com")
        let client = phone.linkApp(meeting.change)
        try await meeting.hold(client, { _ = client.receive(.universal) })

        client.receive(.scheme("after"))

        #expect(await client.nextLink()?.original == .universal)
        #expect(await client.nextLink()?.original == .scheme("after"))
        try await phone.eventually { try phone.recordedClicks().count == 2 }
        await client.shutdown()
    }

    @Test("A flush leaves the click of a link that is being received to the link's question")
    func flush() async throws {
        let meeting = Meeting(phone, until: "go.link", isOpening: false)
        let client = phone.linkApp(meeting.change)
        client.start()
        await client.waitForProfile()

        try await meeting.hold(client, { _ = client.receive(.short) }) { [phone] in
            await phone.outboxHolds("go.link")
            client.record("more")
            await phone.server.waitForRequests("POST", WirePath.events)
            await phone.settle()
        }

        #expect(await client.nextLink()?.resolved == .beach)
        await phone.settle()
        #expect(try phone.recordedClicks().count == 1)
        #expect(phone.linkRequests.count == 1)
        await client.shutdown()
    }

    @Test("A click that was sent meanwhile delays no paywall")
    func click() async throws {
        let meeting = Meeting(phone, until: "go.link")
        let client = phone.linkApp(meeting.change)
        try await meeting.hold(client, { _ = client.recordClick(.long) }, until: { await client.waitForProfile() })
        #expect(try phone.recordedClicks().count == 1)
        let paywall = Locked<PaywallResult?>(nil)
        let asking = Task {
            let result = try await client.paywall(for: .onboarding, within: .seconds(5))
            paywall.withLock { $0 = result }
        }

        // Nobody moves time.
        await phone.eventually { paywall.withLock { $0?.paywall } != nil }

        let elapsed = paywall.withLock { $0?.elapsed }
        #expect(elapsed == .zero)
        asking.cancel()
        await client.shutdown()
    }

    @Test("A claim stays stored until the server has answered it")
    func claim() async throws {
        phone.server.on("POST", WirePath.firstOpen) { [phone] _ in try await phone.never() }
        let meeting = Meeting(phone, until: "K7P2MN")
        let client = phone.linkApp(meeting.change)
        try await meeting.hold(client, { _ = client.claimDeferredLink("K7P2MN") })
        await client.shutdown()

        let next = phone.killed()
        let relaunched = next.linkApp()
        relaunched.start()

        await next.waitForFirstOpen(count: 2)
        let claims = try next.firstOpenRequests.map { try next.sent(FirstOpenRequest.self, $0).deferred?.token }
        #expect(claims == ["K7P2MN", "K7P2MN"])
        await relaunched.shutdown()
    }
}

/// Brings a hook and the reading of the files together: the hook stops where it has stored what it received and the rest of the
/// client does not know it yet, and the files are read meanwhile. (Where a background task stores it first, the hook does not stop.)
private struct Meeting: Storage {
    private static let hook = "a hook"
    private let phone: Phone
    private let text: String
    private let isOpening: Bool
    private let isReading = Locked(false)
    private let mayGoOn = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - text: what the hook stores contains it.
    ///   - isOpening: false if the client runs already.
    init(_ phone: Phone, until text: String, isOpening: Bool = true) {
        (self.phone, self.text, self.isOpening) = (phone, text, isOpening)
    }

    /// The hook reads the calendar once more after it has stored something.
    func change(_ configuration: inout LandfallConfiguration) {
        configuration.storage = self
        configuration.time = LandfallTime(phone.clock) {
            if Thread.current.name == Self.hook, phone.text(of: .outbox).contains(text) {
                _ = mayGoOn.wait(timeout: .now() + 30)
                mayGoOn.signal()
            }
            return phone.clock.date
        }
    }

    /// Starts the client, calls the hook when the file of its items is open and the others are not read yet, and lets it go on
    /// when the client has sent a first open and has done more than that.
    func hold(
        _ client: LandfallClient, _ hook: @escaping @Sendable () -> Void, until isFurther: () async throws -> Void = {}
    ) async throws {
        if isOpening {
            client.start()
            while !isReading.withLock(\.self), !Task.isCancelled { await Task.yield() }
        }
        async let done: Void = withCheckedContinuation { done in
            // A thread of its own: a blocked thread could be one that the client's tasks need.
            Thread.detachNewThread {
                Thread.current.name = Self.hook
                hook()
                done.resume()
            }
        }
        await phone.waitForFirstOpen()
        try await isFurther()
        mayGoOn.signal()
        await done
    }

    func read(_ name: StorageName) async throws -> Data? {
        if name == .paywalls, isOpening {
            isReading.withLock { $0 = true }
            while !phone.text(of: .outbox).contains(text), !Task.isCancelled { await Task.yield() }
        }
        return try phone.storage.read(name)
    }

    func open(_ name: StorageName) async throws -> any AppendableFile { try phone.storage.open(name) }
    func names() async throws -> Set<StorageName> { try phone.storage.names() }
    func write(_ data: Data, to name: StorageName) async throws { try phone.storage.write(data, to: name) }
    func remove(_ name: StorageName) async throws { try phone.storage.remove(name) }
    func setAside(_ name: StorageName) async throws { try phone.storage.setAside(name) }
}

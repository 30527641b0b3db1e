// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallTesting
import LandfallWire
import Testing

@testable import Landfall

@Suite("A disk that hangs", .timeLimit(.minutes(3)))
struct WaitingTests {
    let phone = Phone()
    let disk: StalledStorage

    init() throws {
        disk = StalledStorage(phone.storage)
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true))])
        phone.plain { _ in try .json(PaywallAnswer.everyone()) }
    }

    private func makeClient(_ storage: any Storage) -> LandfallClient {
        phone.app { configuration in
            configuration.storage = storage
            configuration.links = LinkRules(domains: LinkDomains(schemes: ["example"]))
            configuration.fallback = .bundle
            configuration.transactions = ScriptedTransactions()
        }
    }

    @Test("Every call returns, and what `receive` and an exposure have accepted is on disk when they do")
    func opened() async throws {
        let client = makeClient(disk)
        client.start()
        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))
        await phone.storageHolds(.paywalls) { !$0.isEmpty }
        await phone.settle()
        disk.stall()

        let (link, exposure) = await onTheAppsThread { [phone] in
            client.receive(.scheme("beach"))
            let link = phone.text(of: .outbox)
            client.recordExposure(of: shown)
            let exposure = phone.text(of: .outbox)
            makeEveryCall(client)
            return (link, exposure)
        }

        #expect(link.contains("example://beach"))
        #expect(exposure.contains("paywall_shown"))
        try await makeEveryAsynchronousCall(client)
        #expect(disk.blockedCalls > 0)
        disk.release()
    }

    @Test("Every call returns if the disk hangs from the start; accepted items are stored when it continues")
    func unopened() async throws {
        disk.stall()
        let client = await onTheAppsThread { [self] in
            let client = makeClient(disk)
            client.receive(.scheme("before"))
            client.start()
            client.receive(.scheme("after"))
            client.recordExposure(
                of: PaywallResult(
                    paywall: Paywall(name: .default, variationID: VariationID("v")), placement: .onboarding,
                    audience: .everyone, origin: .bundled, attribution: .pending, elapsed: .zero, revision: 1))
            makeEveryCall(client)
            return client
        }
        await disk.waitUntilBlocked()
        #expect(phone.storage.files.keys.allSatisfy { $0 == .install })

        disk.release()
        await phone.storageHolds(.outbox) { text in ["before", "after", "paywall_shown"].allSatisfy { text.contains($0) } }
        disk.stall()
        try await makeEveryAsynchronousCall(client)
        disk.release()
    }

    @Test("Every asynchronous call returns if the disk hangs from the start")
    func neverOpened() async throws {
        disk.stall()
        let client = makeClient(disk)
        client.start()
        client.receive(.scheme("tap"))

        try await makeEveryAsynchronousCall(client)

        disk.release()
    }

    @Test("A link reaches its listener although the write before it hangs; the write is made when the disk continues")
    func handOver() async throws {
        let client = makeClient(disk)
        client.start()
        _ = try await client.paywall(for: .onboarding, within: .seconds(5))
        await phone.storageHolds(.paywalls) { !$0.isEmpty }
        await phone.settle()
        disk.stall()

        client.receive(.scheme("beach"))
        let hasHeard = Locked(false)
        let listener = Task {
            defer { hasHeard.withLock { $0 = true } }
            return await client.nextLink()
        }
        await disk.waitUntilBlocked()
        // On a busy machine one second of the clock may pass before the listener's thread runs.
        while !hasHeard.withLock({ $0 }), !Task.isCancelled { await phone.pass(.seconds(1)) }
        let link = await listener.value

        #expect(link?.resolved == .scheme("beach"))
        #expect(disk.blockedCalls > 0 && !phone.text(of: .outbox).contains("handedOver"))
        disk.release()
        await phone.storageHolds(.outbox) { $0.contains("handedOver") }
        await client.shutdown()
    }

    @Test("`shutdown()` returns when the state is in the files, and abandons a disk that hangs")
    func lastWrite() async throws {
        let client = makeClient(disk)
        client.start()
        _ = try await client.paywall(for: .onboarding, within: .seconds(5))
        await phone.storageHolds(.paywalls) { !$0.isEmpty }
        await phone.settle()
        client.collection = .essential

        await client.shutdown()

        #expect(phone.text(of: .profile).contains("essential"))

        let second = makeClient(disk)
        second.start()
        _ = try await second.paywall(for: .onboarding, within: .seconds(5))
        disk.stall()
        second.collection = .off
        await second.shutdown()
        #expect(phone.text(of: .profile).contains("essential"))
        disk.release()
        await phone.storageHolds(.profile) { $0.contains("off") }
    }

    @Test("`receive`, an exposure and an own event append once each, at most 8 KiB; repeats and calls that store in the background do not")
    func oneAppend() async throws {
        let watched = AppendWatch(phone.storage)
        let client = makeClient(watched)
        client.start()
        let shown = try await client.paywall(for: .onboarding, within: .seconds(5))
        await phone.storageHolds(.paywalls) { !$0.isEmpty }

        let counts = await onTheAppsThread {
            client.receive(.scheme("beach"))
            let afterLink = watched.sizes.count
            client.recordExposure(of: shown)
            let afterExposure = watched.sizes.count
            client.record("trial_started", value: 9.99, currency: "EUR", properties: ["plan": "year"])
            let afterEvent = watched.sizes.count
            client.receive(.scheme("beach"))
            client.recordExposure(of: shown)
            makeEveryCall(client, isQuiet: true)
            return [afterLink, afterExposure, afterEvent, watched.sizes.count]
        }

        #expect(counts == [1, 2, 3, 3])
        #expect(watched.sizes.allSatisfy { $0 <= 8 << 10 })
        await client.shutdown()
    }

    #if os(Linux) || os(macOS)
    @Test("This file calls each public name of the client")
    func complete() throws {
        let here = URL(fileURLWithPath: #filePath)
        let tests = here.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let names = try String(contentsOf: tests.appendingPathComponent("PublicAPITests/api/Landfall.txt"), encoding: .utf8)
        let text = try String(contentsOf: here, encoding: .utf8)
        let calls = names.matches(of: /LandfallClient: .*?\b(?:func|var) (\w+)/).map { String($0.output.1) }

        #expect(calls.count > 20)
        // `observeLinks` is `links` in a task.
        #expect(Set(calls).filter { !text.contains("client.\($0)") } == ["observeLinks"])
    }
    #endif

    /// Every asynchronous call. `open(_:from: .system)` also appends its click to the open file.
    private func makeEveryAsynchronousCall(_ client: LandfallClient) async throws {
        let calls: [@Sendable () async -> Void] = [
            { _ = try? await client.paywall(for: .onboarding, within: .seconds(3)) },
            { _ = try? await client.paywall(for: .onboarding, deadline: .now.advanced(by: .seconds(3))) },
            { _ = try? await client.defaultPaywall(for: "other", within: .seconds(3)) },
            { _ = try? await client.identify("customer") },
            { _ = try? await client.logOut() },
            { _ = try? await client.restorePurchases() },
            { _ = try? await client.reportPurchase("1") },
            { _ = try? await client.verifyPurchase("1") },
            { _ = try? await client.purchase("com.example.app.yearly", within: .seconds(3)) },
            {
                let shown = try? await client.paywall(for: .onboarding, within: .seconds(3))
                if let shown { _ = try? await client.products(of: shown, within: .seconds(3)) }
            },
            { try? await client.flush() },
            { _ = await client.resolve(.scheme("sun"), from: .app) },
            { _ = await client.open(.scheme("sea"), from: .system) },
            { _ = await client.deferredLink(within: .seconds(3)) },
            { for await link in client.links { return link.markTaken() } },
            { try? await client.forget() },
            { try? await client.resetInstall() },
        ]
        let returned = Locked(0)
        await withTaskGroup { group in
            for call in calls {
                group.addTask {
                    await call()
                    returned.withLock { $0 += 1 }
                }
            }
            for _ in 0..<80 where returned.withLock({ $0 < calls.count }) { await phone.pass(.seconds(1)) }
            #expect(returned.withLock { $0 } == calls.count)
            await client.shutdown()
        }
    }
}

/// Every synchronous call of the client, on the caller's thread, except `receive` and `recordExposure`: the tests call these themselves.
/// - Parameter isQuiet: true leaves out the calls that append to the open file.
private func makeEveryCall(_ client: LandfallClient, isQuiet: Bool = false) {
    client.observePurchases()
    _ = client.promotedPurchases
    client.start()
    try? client.setFallback(.bundle)
    client.enteredForeground()
    client.enteredBackground()
    client.networkPathChanged(isSatisfied: true)
    _ = client.runningOperations
    _ = client.explain()
    _ = client.profiles
    _ = client.profile
    _ = client.attribution
    _ = client.links
    _ = client.links(for: "main")
    _ = client.handles(.scheme("beach"))
    try? client.setAttributes(["plan": "pro"])
    try? client.reportAttribution(source: AttributionSource("appsflyer"), status: .organic)
    client.collection = .essential
    _ = client.collection
    client.dataCollection = .essential
    client.prepare(["settings"])
    _ = client.cachedPaywall(for: "settings")
    client.setDataCollectionUnlessOptedOut(.essential)
    client.setCollectionUnlessOff(.essential)
    client.resumeCollection()
    if !isQuiet {
        client.record("trial_started")
        client.recordClick(.scheme("snow"))
        client.claimDeferredLink("9QKZ7M2R")
    }
}

/// Notes the size of each append of the app's thread; any other call there is a mistake.
private final class AppendWatch: Storage {
    private let storage: MemoryStorage
    private let noted = Locked<[Int]>([])

    init(_ storage: MemoryStorage) { self.storage = storage }

    var sizes: [Int] { noted.withLock { $0 } }

    private func elsewhere() -> MemoryStorage {
        #expect(Thread.current.threadDictionary[appsThreadMark] == nil)
        return storage
    }

    func names() throws -> Set<StorageName> { try elsewhere().names() }
    func read(_ name: StorageName) throws -> Data? { try elsewhere().read(name) }
    func write(_ data: Data, to name: StorageName) throws { try elsewhere().write(data, to: name) }
    func open(_ name: StorageName) throws -> any AppendableFile { File(file: try elsewhere().open(name), watch: self) }
    func remove(_ name: StorageName) throws { try elsewhere().remove(name) }
    func setAside(_ name: StorageName) throws { try elsewhere().setAside(name) }

    private struct File: AppendableFile {
        let file: any AppendableFile
        let watch: AppendWatch

        func append(_ data: Data) throws {
            if Thread.current.threadDictionary[appsThreadMark] != nil { watch.noted.withLock { $0.append(data.count) } }
            try file.append(data)
        }
    }
}

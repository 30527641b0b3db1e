// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("A person who asks to be forgotten", .timeLimit(.minutes(1)))
struct ForgettingTests {
    var phone = Phone()

    init() { phone.deviceIDs = MemoryDeviceIDs("device-1") }

    /// A client that knows Anna and has stored the answers.
    private func annasClient(_ change: (inout LandfallConfiguration) -> Void = { _ in }) async throws -> LandfallClient {
        try phone.streams([.profile(.anna()), .attribution(.notAttributed), .paywall(.untargeted(final: true)), .end(.final)])
        let client = phone.app(preparing: [.onboarding], change)
        client.start()
        _ = try await client.paywall(for: .onboarding)
        try client.setAttributes(["called": .string("anna")])
        await phone.storageHolds(.paywalls) { $0.contains("anna") }
        return client
    }

    /// From now on the server erases, and says nothing to the installation that comes after.
    private func erases() {
        let phone = phone
        phone.firstOpen { try await phone.never() }
        phone.server.on("DELETE", WirePath.profile) { _ in try .json(ErasureAnswer(profiles: 1, installs: 1)) }
    }

    private var erasures: [TransportRequest] { phone.server.requests("DELETE", WirePath.profile) }
    private var files: String { phone.storage.files.values.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n") }

    @Test("is erased on the server, then here: files, keychain and memory; then it is a new installation that collects nothing")
    func everywhere() async throws {
        let client = try await annasClient()
        erases()

        try await client.forget()
        await phone.waitForFirstOpen(count: 2)

        #expect(erasures.map { $0.headers["landfall-profile"] } == ["anna.c2VjcmV0"])
        #expect(!files.contains("anna") && !files.contains("device-1"))
        #expect(phone.deviceIDs?.id != "device-1" && phone.deviceIDs?.id != nil)
        #expect(client.collection == .off)
        let request = try #require(phone.firstOpenRequests.last)
        #expect(request.headers["landfall-profile"]?.hasPrefix("anna.") == false)
        #expect(try phone.sent(FirstOpenRequest.self, request).adToken == .none(.collectionOff))
        await client.shutdown()
    }

    @Test("is erased here, including files that were set aside or half written")
    func leftOvers() async throws {
        try phone.storage.write(Data("anna".utf8), to: StorageName(rawValue: "profile.json.broken"))
        try phone.storage.write(Data("anna".utf8), to: StorageName(rawValue: "install.json.new"))
        let client = try await annasClient()
        erases()

        try await client.forget()

        #expect(!files.contains("anna"))
        await client.shutdown()
    }

    @Test("is erased here, including what a later release has stored")
    func laterRelease() async throws {
        try phone.storage.write(Data(#"{"access":"anna-premium","format":2}"#.utf8), to: .profile)
        let client = try await annasClient()
        #expect(phone.text(of: .profile).contains("anna-premium"))
        erases()

        try await client.forget()

        #expect(!files.contains("anna"))
        await client.shutdown()
    }

    @Test("gets an error if the server cannot be reached; the request is kept, and retried until the server has answered")
    func offline() async throws {
        let client = try await annasClient()
        phone.server.isOffline = true

        await #expect(throws: LandfallError.self) { try await client.forget() }

        #expect(client.collection == .off)
        #expect(files.contains("anna"))
        erases()
        phone.server.isOffline = false
        await phone.pass(.seconds(3))
        #expect(erasures.count > 1)
        #expect(!files.contains("anna"))
        await client.shutdown()
    }

    @Test("is still erased on the server if a debug menu resets the installation meanwhile")
    func reset() async throws {
        let client = try await annasClient()
        phone.server.isOffline = true
        await #expect(throws: LandfallError.self) { try await client.forget() }
        let tries = erasures.count
        erases()
        phone.server.isOffline = false

        try await client.resetInstall()

        #expect(erasures.count > tries)
        #expect(client.collection == .off)
        #expect(!files.contains("anna"))
        await client.shutdown()
    }

    @Test("is erased by the next launch, if this one ended before the server had answered")
    func nextLaunch() async throws {
        let first = try await annasClient()
        phone.server.isOffline = true
        await #expect(throws: LandfallError.self) { try await first.forget() }
        await first.shutdown()
        phone.server.isOffline = false
        erases()
        let before = erasures.count

        let second = phone.app()
        second.start()
        await phone.server.waitForRequests("DELETE", WirePath.profile, count: before + 1)
        await phone.storageHolds(.install) { !$0.contains("anna") && !$0.isEmpty }

        #expect(second.collection == .off)
        #expect(!files.contains("anna"))
        await second.shutdown()
    }

    @Test("and is already erased on the server needs only its confirmation")
    func erasedBefore() async throws {
        let client = try await annasClient()
        erases()
        phone.server.on("DELETE", WirePath.profile) { _ in try .problem(410, .profileErased) }

        try await client.forget()

        #expect(!files.contains("anna"))
        await client.shutdown()
    }

    @Test("and is erased on the server continues as a new installation in any call, with the earlier collection mode")
    func toldByTheServer() async throws {
        let body = ScriptedBody()
        let profile = WireProfile(
            id: ProfileID("new"), installId: InstallID("new"), epoch: 1, version: 1, attributionVersion: 0)
        try body.say([.profile(profile), .attribution(.notAttributed), .paywall(.untargeted(final: true, profile: "new"))])
        phone.server.on("POST", WirePath.firstOpen) { request in
            request.headers["landfall-profile"] == "anna.c2VjcmV0" ? try .problem(410, .profileErased) : ScriptedAnswer(body: body)
        }
        phone.plain { _ in try .problem(503, .busy) }
        let client = phone.app()
        client.start()

        let result = try await client.paywall(for: .onboarding, within: .seconds(5))

        #expect(result.paywall?.name == .default)
        #expect(client.collection == .full)
        #expect(phone.firstOpenRequests.last?.headers["landfall-profile"]?.hasPrefix("anna.") == false)
        #expect(phone.deviceIDs?.id != "device-1")
        await client.shutdown()
    }

    @Test("is a new installation that hears the platform: a path runs its retries, and a return after an hour is an open",
        arguments: [true, false])
    func platform(isForgotten: Bool) async throws {
        let platform = ScriptedPlatform()
        let client = try await annasClient { $0.platform = [platform] }
        erases()
        phone.firstOpen { throw TransportError(.connectionFailed) }
        if isForgotten { try await client.forget() } else { try await client.resetInstall() }
        await phone.waitForFirstOpen(count: 2)
        await phone.pass(.seconds(60))
        let tries = phone.firstOpenRequests.count
        let profile = WireProfile(
            id: ProfileID("new"), installId: InstallID("new"), epoch: 1, version: 1, attributionVersion: 0)
        try phone.streams([
            .profile(profile), .attribution(.notAttributed), .paywall(.untargeted(final: true, profile: "new")), .end(.final),
        ])

        platform.say(.networkPath(isSatisfied: true))
        await phone.waitForFirstOpen(count: tries + 1)
        await phone.settle()
        phone.clock.advance(by: .seconds(3_600))
        platform.say(.enteredForeground)
        await phone.pass(.seconds(1))
        await phone.waitForFirstOpen(count: tries + 2)

        #expect(phone.firstOpenRequests.count == tries + 2)
        await client.shutdown()
        await platform.waitUntilAbandoned()
    }

    @Test("while the storage refuses: it is tried again, and nothing new begins before")
    func locked() async throws {
        let client = try await annasClient()
        erases()
        phone.deviceIDs?.isLocked = true

        await #expect(throws: LandfallError.self) { try await client.forget() }
        phone.deviceIDs?.isLocked = false
        await phone.pass(.seconds(3))

        #expect(erasures.count == 1)
        #expect(!files.contains("anna"))
        #expect(phone.deviceIDs?.id != "device-1")
        await client.shutdown()
    }

    @Test("before the files can be read: the request is kept, and continues once they can")
    func beforeTheFiles() async throws {
        erases()
        phone.storage.isLocked = true
        let client = phone.app()
        client.start()
        let forgotten = Task { try await client.forget() }
        await phone.pass(.seconds(16))
        let error = await #expect(throws: LandfallError.self) { try await forgotten.value }
        #expect(error?.kind == .storage)
        #expect(erasures.isEmpty)

        phone.storage.isLocked = false
        client.enteredForeground()
        await phone.server.waitForRequests("DELETE", WirePath.profile)
        await phone.storageHolds(.install) { !$0.isEmpty && !$0.contains("anna") }

        #expect(!files.contains("anna"))
        #expect(client.collection == .off)
        await client.shutdown()
    }

    @Test("and cancels at once is still forgotten")
    func cancelled() async throws {
        let client = try await annasClient()
        erases()
        let forgotten = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await client.forget()
        }

        await #expect(throws: CancellationError.self) { try await forgotten.value }
        await phone.server.waitForRequests("DELETE", WirePath.profile)
        await phone.waitForFirstOpen(count: 2)

        #expect(!files.contains("anna"))
        await client.shutdown()
    }

    @Test("while the disk hangs: gets an error at the time limit, and is forgotten when the disk continues")
    func hangingDisk() async throws {
        let disk = StalledStorage(phone.storage)
        try phone.streams([.profile(.anna()), .attribution(.notAttributed)])
        let client = phone.app { $0.storage = disk }
        client.start()
        await phone.storageHolds(.profile) { $0.contains("anna") }
        erases()
        disk.stall()

        let forgotten = Task { try await client.forget() }
        await phone.pass(.seconds(11))
        await #expect(throws: LandfallError.self) { try await forgotten.value }
        disk.release()
        await phone.server.waitForRequests("DELETE", WirePath.profile)
        await phone.storageHolds(.install) { !$0.contains("anna") && !$0.isEmpty }

        #expect(!files.contains("anna"))
        await client.shutdown()
    }

    @Test("before start() is told to call start()")
    func notStarted() async throws {
        let client = phone.app()
        let forgotten = Task { try await client.forget() }
        await phone.pass(.seconds(16))

        await #expect(throws: LandfallError(.notStarted)) { try await forgotten.value }
        await client.shutdown()
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallApple
import LandfallTesting
import LandfallWire

/// An app's own source of ad tokens.
struct RelayedTokens: AdTokenSource {
    let relay: @Sendable () async -> String?

    func token() async throws -> String {
        guard let token = await relay() else { throw AdTokenError.unsupported }
        return token
    }
}

/// An app's own place for the device id.
actor SharedDeviceIDs: DeviceIDStore {
    private var id: String?
    func read() async throws -> String? { id }
    func write(_ id: String) async throws { self.id = id }
}

/// An app's own way to the server.
struct MeasuredTransport: Transport {
    let transport: any Transport
    let measure: @Sendable (Int) -> Void

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        let answer = try await transport.send(request)
        measure(answer.status)
        return TransportAnswer(status: answer.status, headers: answer.headers, body: answer.body)
    }
}

/// An app's own policy: nothing leaves the phone while it roams.
struct RoamingTransport: Transport {
    let isRoaming: @Sendable () -> Bool

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        if isRoaming() { throw TransportError(.offline, detail: "Not \(request.method) \(request.url) while roaming.") }
        do {
            return try await URLSessionTransport().send(request)
        } catch let error as TransportError where error.kind == TransportError.Kind.timedOut {
            throw TransportError(.connectionFailed, detail: error.detail)
        }
    }
}

/// An app's own reading of what goes wrong below.
func isWorthAReport(_ error: any Error, while mode: CollectionMode) -> Bool {
    if let failure = error as? KeychainFailure { return failure.status != -25_308 }
    if case AdTokenError.failed(let text) = error { return !text.isEmpty && mode != .off }
    return false
}

func report(_ level: LogLine.Level, after delay: Duration, by time: LandfallTime) async throws -> LogLine {
    try await time.sleep(time.now() + delay)
    return LogLine(max(level, .debug, .info), "\(time.date())")
}

/// An app's own files.
struct ReadOnlyStorage: Storage {
    let files: [StorageName: Data]
    func names() throws -> Set<StorageName> { Set(files.keys) }
    func read(_ name: StorageName) throws -> Data? {
        guard [.install, .profile, .paywalls, .experiments, .outbox].contains(name) else { return nil }
        return files[name]
    }
    func write(_ data: Data, to name: StorageName) throws { throw CocoaError(.fileWriteNoPermission) }
    func open(_ name: StorageName) throws -> any AppendableFile { throw StorageUnavailable.inUse(directory: "elsewhere") }
    func remove(_ name: StorageName) throws { throw CocoaError(.fileWriteNoPermission) }
    func setAside(_ name: StorageName) throws { throw CocoaError(.fileWriteNoPermission) }
}

/// An app's own word on the country, from its own settings.
struct ChosenCountry: PlatformSignals {
    let code: String

    func signals() -> AsyncStream<PlatformSignal> {
        AsyncStream { voice in
            voice.yield(.storeCountry(code))
            voice.yield(.networkPath(isSatisfied: true))
            voice.yield(.networkPath(isSatisfied: false, isDenied: true))
            voice.yield(.enteredBackground)
            voice.yield(.networkPath(isSatisfied: true, isConstrained: true))
            voice.yield(.enteredForeground)
            voice.finish()
        }
    }
}

/// A client whose world is scripted, as an app's tests make it.
struct ScriptedWorld {
    let clock = ManualClock(date: Date(timeIntervalSince1970: 0))
    let server = ScriptedTransport()
    let tokens = ScriptedAdTokens(.held)
    let storage = MemoryStorage()
    let deviceIDs = MemoryDeviceIDs()
    let platform = ScriptedPlatform()

    let failing = ScriptedAdTokens(.failure(.network), .hung, .token("token"))
    let portal: ScriptedTransport.Handler = { _ in ScriptedAnswer(status: 511, headers: ScriptedAnswer.landfallHeaders) }

    func client() -> LandfallClient {
        var configuration = LandfallConfiguration(sdkKey: "pk_demo", server: URL(string: "http://landfall.test")!)
        configuration.transport = server
        configuration.adTokens = tokens
        configuration.storage = storage
        configuration.deviceIDs = deviceIDs
        configuration.time = clock.time
        configuration.platform = [platform]
        return LandfallClient(configuration)
    }

    func play() async throws {
        let stream = ScriptedBody()
        server.on("POST", "/v1/first-open") { request in
            request.idleLimit > .zero && request.body != nil ? ScriptedAnswer(body: stream) : try .problem(400, .malformedJSON)
        }
        server.on("POST", "/v1/events") { _ in try .json(EventBatchAnswer(results: []), status: 200) }
        server.on("GET", "/v1/profiles/me") { _ in .stranger(302) }
        server.on("POST", "/v1/logout") { _ in try .lines([.end(.final)]) }
        await server.waitForRequests("POST", "/v1/first-open")
        await stream.waitForReader()
        try stream.send(FirstOpenLine.attribution(.notAttributed))
        stream.send(line: "")
        stream.send(Data())
        stream.fail()
        stream.finish()
        tokens.release(.token("token"))
        await tokens.waitForAsks()
        await clock.waitForSleepers(1)
        clock.advance(by: .seconds(1))
        clock.advanceToNextSleeper()
        clock.moveCalendar(by: .seconds(-1))
        platform.say(.enteredForeground)
        await platform.waitUntilAbandoned()
        storage.isLocked = true
        storage.isFull = true
        deviceIDs.isLocked = true
        server.isOffline = true
        server.ignoresCancellation = true
        await stream.waitUntilAbandoned()
        await server.waitUntilIdle()
        print(
            clock.now, clock.date, clock.sleeperCount, server.requests("POST", "/v1/events"), server.openExchanges,
            tokens.askCount, storage.files, storage.filesSetAside, storage.unavailable == .appExtension,
            deviceIDs.id ?? "", stream.readerCount
        )
    }
}

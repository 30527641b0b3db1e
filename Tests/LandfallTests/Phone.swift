// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire

/// A phone in a hand that moves time: its files, its network and its clock outlive the launches of the app.
struct Phone: Sendable {
    let clock = ManualClock()
    let server = ScriptedTransport()
    /// Anna's installation exists, so that the scripted answers are about her.
    var storage = MemoryStorage([.install: Data(#"{"format":1,"id":"anna","secret":"c2VjcmV0","isDeviceIDKept":false}"#.utf8)])
    var deviceIDs: MemoryDeviceIDs?
    let log = LogNotebook()

    /// A launch of the app that has not started yet.
    func app(
        tokens: (any AdTokenSource)? = nil, preparing: [PlacementID] = [.onboarding],
        _ change: (inout LandfallConfiguration) -> Void = { _ in }
    ) -> LandfallClient {
        var configuration = LandfallConfiguration(
            sdkKey: "pk_test", server: URL(string: "https://api.example.com")!, preparing: preparing
        )
        configuration.adTokens = tokens
        configuration.deviceIDs = deviceIDs
        configuration.transport = server
        configuration.storage = storage
        configuration.time = clock.time
        configuration.device = .init()
        configuration.device.locale = "en-US"
        configuration.device.appVersion = "1.2.0"
        configuration.device.osVersion = "26.1.0"
        configuration.device.platform = "ios"
        configuration.log = { log.note($0) }
        change(&configuration)
        return LandfallClient(configuration)
    }

    /// The first-open stream says this, each array at once, and then stays open.
    @discardableResult
    func streams(_ lines: [FirstOpenLine] = []) throws -> ScriptedBody {
        let body = ScriptedBody()
        try body.say(lines)
        server.on("POST", WirePath.firstOpen) { _ in ScriptedAnswer(body: body) }
        return body
    }

    func firstOpen(answers answer: @escaping @Sendable () async throws -> ScriptedAnswer) {
        server.on("POST", WirePath.firstOpen) { _ in try await answer() }
    }

    /// The answers of the plain calls for one placement, by audience kind.
    func plain(
        _ placement: PlacementID = .onboarding,
        _ answer: @escaping @Sendable (PaywallAnswer.AudienceKind) async throws -> ScriptedAnswer
    ) {
        server.on("GET", WirePath.paywall(of: placement)) { request in
            try await answer(request.url.query?.contains("audience=default") == true ? .default : .matching)
        }
    }

    var firstOpenRequests: [TransportRequest] { server.requests("POST", WirePath.firstOpen) }
    var plainRequests: [TransportRequest] { server.requests("GET", WirePath.paywall(of: .onboarding)) }

    func sent<Value: Decodable>(_ type: Value.Type, _ request: TransportRequest?) throws -> Value {
        try WireCoding.decode(type, from: request?.body ?? Data())
    }

    /// Waits until the SDK has sent something on this path.
    func waitForFirstOpen(count: Int = 1) async { await server.waitForRequests("POST", WirePath.firstOpen, count: count) }
    func waitForPlain(count: Int = 1) async {
        await server.waitForRequests("GET", WirePath.paywall(of: .onboarding), count: count)
    }
}

extension PlacementID {
    static let onboarding: PlacementID = "onboarding"
}

extension ScriptedBody {
    /// Says these lines in one go, as one change.
    func say(_ lines: [FirstOpenLine]) throws {
        guard !lines.isEmpty else { return }
        send(try lines.reduce(into: Data()) { $0 += try WireCoding.encode($1) + Data("\n".utf8) })
    }

    func say(_ lines: FirstOpenLine...) throws { try say(lines) }
}

/// Collects the SDK's log lines.
final class LogNotebook: Sendable {
    private let lines = Locked<[LogLine]>([])
    func note(_ line: LogLine) { lines.withLock { $0.append(line) } }
    var all: [LogLine] { lines.withLock { $0 } }
    var texts: [String] { all.map(\.description) }
    func count(_ text: String) -> Int { texts.count { $0.contains(text) } }
    var infos: [String] { lines.withLock { $0.filter { $0.level == .info }.map(\.message) } }
    var warnings: [String] { lines.withLock { $0.filter { $0.level >= .warning }.map(\.message) } }
}

extension LandfallClient {
    /// Returns once the profile satisfies the condition.
    func waitForProfile(where isExpected: @escaping @Sendable (Profile) -> Bool = { _ in true }) async {
        for await profile in profiles where isExpected(profile) { return }
    }
}

extension Phone {
    /// Returns once the stored paywalls satisfy the condition: files are written in the background.
    func filesHold(_ isExpected: (String) -> Bool) async {
        await storageHolds(.paywalls, isExpected)
    }
}

extension Phone {
    /// Lets so much time pass, sleeper by sleeper, as it does on a phone whose tasks run in between.
    func pass(_ duration: Duration) async { await clock.pass(duration) }

    /// The same for a long time.
    /// - Parameter step: after each, every task may run.
    func pass(_ duration: Duration, in step: Duration) async {
        let end = clock.now.advanced(by: duration)
        while clock.now < end, !Task.isCancelled {
            await settle()
            clock.advance(by: min(step, clock.now.duration(to: end)))
        }
        await settle()
    }

    /// Gives every task that can run the chance to.
    func settle() async { await clock.pass(.zero) }

    /// The handler of a server that never answers.
    func never() async throws -> ScriptedAnswer {
        try await clock.sleep(until: clock.now.advanced(by: .seconds(1_000_000)))
        throw TransportError(.timedOut)
    }

    /// Removes the stored answer for the matching audience.
    func forgetTargeting() {
        let text = String(decoding: storage.files[.paywalls] ?? Data(), as: UTF8.self)
        guard var file = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else { return }
        let entries = file["entries"] as? [[String: Any]] ?? []
        file["entries"] = entries.filter { (($0["answer"] as? [String: Any])?["kind"] as? String) == "default" }
        if let data = try? JSONSerialization.data(withJSONObject: file) { try? storage.write(data, to: .paywalls) }
    }
}

extension Data {
    /// A fallback file as the command exports it.
    static let bundle = Data(
        """
        {"format": 1, "revision": 3, "paywalls": {"onboarding": {"audience": "everyone",
         "paywall": {"name": "bundled", "variationId": "bundled", "productIds": ["month"],
                     "remoteConfig": {"locale": "en", "value": {"title": "Hello"}}},
         "locales": {"de": {"title": "Hallo"}, "pt-BR": {"title": "Olá"}}}}}
        """.utf8)
}

extension Phone {
    /// Returns once a file satisfies the condition: files are written in the background.
    func storageHolds(_ name: StorageName, _ isExpected: (String) -> Bool = { !$0.isEmpty }) async {
        while !Task.isCancelled, !isExpected(text(of: name)) { await Task.yield() }
    }

    /// Returns once that many lines of the outbox contain the text: an item that is accepted before a file is open is stored in
    /// the background.
    func outboxHolds(_ text: String, lines: Int = 1) async {
        await storageHolds(.outbox) { $0.split(separator: "\n").count { $0.contains(text) } >= lines }
    }

    /// Returns once a line of the log contains the text: what the line is about happens in the background.
    func logHolds(_ text: String) async {
        while !Task.isCancelled, log.count(text) == 0 { await Task.yield() }
    }

    /// The stored text at this instant; for the outbox, of all its files.
    func text(of name: StorageName) -> String {
        let prefix = name.rawValue.prefix { $0 != "." }
        let files = storage.files.filter { $0.key == name || name == .outbox && $0.key.rawValue.hasPrefix(prefix) }
        return files.sorted { $0.key.rawValue < $1.key.rawValue }.map { String(decoding: $0.value, as: UTF8.self) }.joined()
    }
}

// SPDX-License-Identifier: Apache-2.0
@testable import Adjust
import Foundation
import Landfall
import LandfallAppClient
import LandfallTesting

/// An app that starts by ``ADJConfig``, over a scripted server; what is logged is kept.
struct StartedApp: Sendable {
    let clock = ManualClock()
    let server: ScriptedServer
    let shared = SharedClient()
    let lines = Lines()
    let connection: Connection

    /// - Parameters:
    ///   - info: what Info.plist says.
    ///   - storage: of the phone; the next launch has the same.
    ///   - uncalled: the methods that its delegate has and that are never called.
    ///   - system: opens links as the system does; by default it opens none.
    init(
        _ info: [String: Any] = [:], storage: MemoryStorage = MemoryStorage(), uncalled: [UncalledMethod] = [],
        system: @escaping Connection.Opening = SystemOpening.open
    ) {
        let (clock, lines) = (clock, lines)
        let server = ScriptedServer(clock: clock)
        self.server = server
        connection = Connection(
            time: clock.time, transport: server, shared: shared, info: AppInfo(info), notices: Notices { lines.add($0) },
            makeClient: { settings in
                var settings = settings
                settings.transport = server
                settings.storage = storage
                settings.time = clock.time
                return LandfallClient(settings)
            },
            uncalled: { _ in uncalled }, opening: system)
    }

    static let info: [String: any Sendable] = ["LandfallServerURL": "https://api.example.com", "LandfallSDKKey": "pk_demo"]

    static func config(_ change: (ADJConfig) -> Void = { _ in }) -> ADJConfig {
        let config = ADJConfig(appToken: "q1w2e3r4t5y6", environment: ADJEnvironmentSandbox)!
        change(config)
        return config
    }

    func pass(_ duration: Duration) async { await clock.pass(duration) }

    /// Time passes until the server has so many own events, or the test's time is over.
    func events(_ count: Int) async -> [RecordedEvent] {
        while server.events.count < count, !Task.isCancelled { await pass(.milliseconds(100)) }
        return server.events
    }
}

/// What was logged.
///
/// `@unchecked Sendable`: every access to `all` holds `lock`.
final class Lines: @unchecked Sendable {
    private let lock = NSLock()
    private var all: [LogLine] = []

    func add(_ line: LogLine) { lock.withLock { all.append(line) } }

    /// Of this module, from that level up.
    func texts(from level: LogLine.Level = .warning) -> [String] {
        lock.withLock { all }.filter { $0.category == .setup && $0.level >= level }.map(\.message)
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Landfall

/// Launches the drawn phones one after the other, overlapping, and reports the result of each.
package struct PhoneRun: Sendable {
    package let world: Scenario
    let deadline = Duration.seconds(5)
    private let phones: [DrawnPhone]
    private let isComparison: Bool
    private let interval: Duration

    /// - Parameter startsPerSecond: how many phones start in a second, evenly spread.
    package init(phones: Int, seed: UInt64, world: Scenario, isComparison: Bool, startsPerSecond: Double) {
        self.phones = (0..<phones).map { DrawnPhone($0, in: world, seed: seed) }
        self.world = world
        self.isComparison = isComparison
        interval = .seconds(1 / startsPerSecond)
    }

    /// How long the starts take.
    package var length: Duration { interval * phones.count }

    /// - Parameters:
    ///   - server: the port of the server, which changes when it is started again.
    ///   - directory: exists, and belongs to this run.
    ///   - bundle: the fallback file inside the app.
    ///   - lives: of the server.
    ///   - onDone: called with the number of phones that have ended.
    package func run(
        server: @escaping @Sendable () -> Int, directory: URL, bundle: Data, apple: AppleAnswers,
        lives: ServerLives, onDone: @escaping @Sendable (Int) -> Void
    ) async throws -> PhoneResults {
        let limit = try await LimitServer.open()
        let stage = PhoneStage(
            server: server, directory: directory, bundle: bundle, apple: apple, lives: lives,
            limit: LimitClient(port: limit.port), deadline: deadline, isComparison: isComparison, interval: interval
        )
        let begun = ContinuousClock.now
        let records = try await withThrowingTaskGroup(of: PhoneRecord.self) { group in
            for phone in phones {
                group.addTask {
                    try await Task.sleep(until: begun + interval * phone.number, tolerance: .zero, clock: .continuous)
                    return try await stage.launch(phone)
                }
            }
            var records: [PhoneRecord] = []
            for try await record in group {
                records.append(record)
                onDone(records.count)
            }
            return records
        }
        await limit.close()
        return PhoneResults(records.sorted { $0.phone.number < $1.phone.number }, deadline: deadline)
    }
}

/// Common to all launches of a run.
struct PhoneStage: Sendable {
    let server: @Sendable () -> Int
    let directory: URL
    let bundle: Data
    let apple: AppleAnswers
    let lives: ServerLives
    let limit: LimitClient
    let deadline: Duration
    let isComparison: Bool
    /// Between two phones. The sides of one phone start a third of it apart, so that no side starts at the same time as
    /// another.
    let interval: Duration

    func launch(_ phone: DrawnPhone) async throws -> PhoneRecord {
        async let documented = isComparison ? documented(phone) : nil
        async let least = isComparison ? least(phone) : nil
        let (landfall, answeredAfter, wasPossible) = try await landfall(phone)
        return PhoneRecord(
            phone: phone, landfall: landfall, wasPossible: wasPossible, documented: try await documented, limit: try await least,
            answeredAfter: answeredAfter
        )
    }

    private func landfall(_ phone: DrawnPhone) async throws -> (PhoneOutcome, answeredAfter: Duration?, wasPossible: Bool) {
        let network = try await network(of: phone)
        let launch = LandfallLaunch(
            server: network.url, directory: directory.appending(path: "phone-\(phone.number)"), bundle: bundle,
            deadline: deadline
        )
        if phone.isCached {
            _ = await launch.run(token: phone.earlierToken(of: "landfall"), after: .zero, isOffline: false)
        }
        let begun = ContinuousClock.now
        let token = phone.token(of: "landfall")
        let outcome = await launch.run(token: token, after: phone.tokenDelay, isOffline: phone.isOffline)
        await network.proxy.close()
        let answered = apple.instant(of: token).map { begun.duration(to: $0) }
        let told = answered.flatMap { phone.perfectClient?.told($0, lives: lives.seen(from: begun)) }
        return (outcome, answered, told.map { $0 <= deadline } ?? false)
    }

    private func documented(_ phone: DrawnPhone) async throws -> PhoneOutcome {
        try await Task.sleep(for: interval / 3)
        let network = try await network(of: phone)
        let launch = DocumentedLaunch(server: network.url, memory: .init(), timeout: deadline)
        if phone.isCached {
            _ = await launch.run(token: phone.earlierToken(of: "documented"), after: .zero, isOffline: false)
        }
        let token = phone.token(of: "documented")
        let outcome = await launch.run(token: token, after: phone.tokenDelay, isOffline: phone.isOffline)
        await network.proxy.close()
        return outcome
    }

    private func least(_ phone: DrawnPhone) async throws -> Duration {
        try await Task.sleep(for: interval * 2 / 3)
        return try await limit.run(phone, deadline: deadline)
    }

    /// Each side has its own network, drawn from the same numbers.
    private func network(of phone: DrawnPhone) async throws -> (proxy: NetworkProxy, url: URL) {
        let proxy = try await NetworkProxy.open(to: server) { phone.network.plan(forConnection: $0) }
        guard let url = URL(string: "http://127.0.0.1:\(proxy.port)") else { throw URLError(.badURL) }
        return (proxy, url)
    }
}

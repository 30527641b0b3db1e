// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RealProcessTests {
    /// `kill -9` of a real server between first opens and their deliveries, and among deliveries.
    @Suite("A server killed before its webhooks are delivered", .timeLimit(.minutes(1)))
    struct WebhookKillTests {
        @Test("delivers each first open that it answered, after its next start, each time with the same id and body", arguments: [61] as [UInt64])
        func killed(seed: UInt64) async throws {
            try await ServingProcess.withFolder { folder in
                let receiver = try LoopbackReceiver()
                defer { receiver.stop() }
                let file = folder.appending(path: "landfall.yaml")
                let webhooks = "webhooks: [{ url: 'http://127.0.0.1:\(receiver.port)/', secretFrom: LANDFALL_WEBHOOK_SECRET, types: [first_open] }]\n"
                try (String(contentsOfFile: RunningCommand.example, encoding: .utf8) + "\n" + webhooks)
                    .write(to: file, atomically: true, encoding: .utf8)
                let environment = ["LANDFALL_WEBHOOK_SECRET": "whsec_" + String(repeating: "A", count: 44), "LANDFALL_WEBHOOKS_TO_PRIVATE": "1"]
                let data = folder.appending(path: "data")
                try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
                var server = try await ServingProcess.startOnStablePort(in: data, configuration: file.path, environment: environment)
                let port = server.port, phones = OpeningPhones()
                // If the test fails in between, nobody goes on sending.
                defer { phones.isOver.store(true, ordering: .releasing) }
                async let opening: Void = phones.open(at: port)

                // The job of webhooks begins two seconds after a start: what these servers answered is usually not delivered yet.
                var random = SeededRandom(seed: seed)
                for _ in 0..<3 {
                    try await Task.sleep(for: .milliseconds(Int.random(in: 50...350, using: &random)))
                    server.command.kill()
                    _ = await server.command.ending()
                    server = try await ServingProcess.start(in: data, port: port, configuration: file.path, environment: environment)
                }
                try await settles { !receiver.messages.isEmpty }
                server.command.kill()
                _ = await server.command.ending()
                phones.isOver.store(true, ordering: .releasing)
                await opening
                server = try await ServingProcess.start(in: data, port: port, configuration: file.path, environment: environment)

                let answered = phones.answered.withLock(\.self)
                try await settles { receiver.installs.isSuperset(of: answered) }
                server.command.stop()
                #expect(await server.command.ending().status == 0)
                #expect(answered.count > 3, "seed \(seed): too little was answered")
                #expect(answered.subtracting(receiver.installs) == [], "seed \(seed): answered, and never delivered")
                let bodies = Dictionary(grouping: receiver.messages, by: \.id).mapValues { Set($0.map(\.body)) }
                #expect(bodies.allSatisfy { $0.value.count == 1 }, "seed \(seed): one id, two bodies")
            }
        }

        private func settles(_ isSo: () -> Bool) async throws {
            for _ in 0..<600 where !isSo() { try await Task.sleep(for: .milliseconds(25)) }
        }
    }
}

extension LoopbackReceiver {
    /// The installs of all messages.
    fileprivate var installs: Set<String> {
        Set(messages.compactMap { message in message.body.firstMatch(of: /"installId":"([^"]*)"/).map { String($0.1) } })
    }
}

/// Phones that open the app, each once, until it is over.
private final class OpeningPhones: Sendable {
    let answered = Mutex<Set<String>>([])
    let isOver = Atomic(false)

    /// Four at a time.
    func open(at port: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for sender in 1...4 {
                group.addTask { [self] in
                    var number = 0
                    while !isOver.load(ordering: .acquiring) {
                        number += 1
                        let digits = String(sender * 1_000_000 + number)
                        let id = "0198f0c2-7b1a-7c3d-8e4f-" + String(repeating: "0", count: 12 - digits.count) + digits
                        if await isAnswered(id, port) { answered.withLock { _ = $0.insert(id) } }
                        // Enough for the test, and not more than the machine delivers.
                        try? await Task.sleep(for: .milliseconds(10))
                    }
                }
            }
        }
    }

    /// A server that is gone has answered nothing.
    private func isAnswered(_ id: String, _ port: Int) async -> Bool {
        var request = URLRequest(url: URL(string: "http://127.0.0.1:\(port)/v1/first-open")!)
        request.httpMethod = "POST"
        request.setValue("Bearer pk_demo", forHTTPHeaderField: "Authorization")
        request.setValue("\(id).\(String(repeating: "A", count: 43))", forHTTPHeaderField: "Landfall-Profile")
        request.httpBody = Data(#"{"adToken":{"none":"unsupported"}}"#.utf8)
        guard let (_, response) = try? await URLSession.shared.data(for: request) else {
            try? await Task.sleep(for: .milliseconds(20))
            return false
        }
        return (response as? HTTPURLResponse)?.statusCode == 200
    }
}

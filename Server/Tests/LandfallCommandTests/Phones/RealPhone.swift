// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Synchronization

/// A phone with the real SDK, for servers that are processes. Its files stay from launch to launch; everything else is new each
/// time.
struct RealPhone {
    private let storage: FileStorage
    /// How servers have answered, in the order of the answers.
    let answers = AnsweredTransport()

    /// - Parameter folder: the phone's own.
    init(in folder: URL) { storage = FileStorage(directory: folder) }

    /// One launch of the app, with a first open.
    func launch<Value>(_ port: Int, _ body: (LandfallClient) async throws -> Value) async throws -> Value {
        var configuration = LandfallConfiguration(
            sdkKey: "pk_demo", server: URL(string: "http://127.0.0.1:\(port)")!, preparing: ["onboarding"])
        configuration.storage = storage
        configuration.transport = answers
        configuration.log = { _ in }
        let client = LandfallClient(configuration)
        client.start()
        do {
            let value = try await body(client)
            await client.shutdown()
            return value
        } catch {
            await client.shutdown()
            throw error
        }
    }
}

extension LandfallClient {
    /// The first profile like that, from now on.
    func profile(where isWanted: (Profile) -> Bool) async throws -> Profile {
        for await profile in profiles where isWanted(profile) { return profile }
        throw CancellationError()
    }
}

/// The live transport; remembers the statuses of all answers.
final class AnsweredTransport: Transport {
    private let live = URLSessionTransport()
    private let log = Mutex<[Int]>([])

    var statuses: [Int] { log.withLock(\.self) }

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
        let answer = try await live.send(request)
        log.withLock { $0.append(answer.status) }
        return answer
    }
}

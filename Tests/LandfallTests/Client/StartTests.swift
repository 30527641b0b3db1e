// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import LandfallWire
import Testing

@Suite("Making and starting a client", .timeLimit(.minutes(1)))
struct StartTests {
    let phone = Phone()

    @Test("Neither uses a file on the calling thread")
    func noFileOnThisThread() async throws {
        try phone.streams(.undecided)
        let disk = ThreadWatchingStorage(phone.storage)

        let client = await onTheAppsThread { [phone] in
            let client = phone.app { $0.storage = disk }
            client.start()
            return client
        }
        await client.waitForProfile()

        let calls = disk.calls.withLock { $0 }
        #expect(!calls.isEmpty)
        #expect(!calls.contains(.onTheAppsThread))
        await client.shutdown()
    }

    @Test("Both together take less than 2 ms of the caller's thread")
    func quick() async throws {
        try phone.streams(.undecided)

        var best = Duration.seconds(1)
        for _ in 0..<20 {
            let (client, elapsed) = await onTheAppsThread { [phone] in
                let begun = ContinuousClock.now
                let client = phone.app()
                client.start()
                return (client, begun.duration(to: .now))
            }
            best = min(best, elapsed)
            await client.shutdown()
        }

        #expect(best < .milliseconds(2))
    }

    @Test("Starting again does nothing")
    func again() async throws {
        try phone.streams(.undecided)
        let client = phone.app()
        client.start()
        await client.waitForProfile()

        client.start()
        await phone.pass(.milliseconds(100))

        #expect(phone.firstOpenRequests.count == 1)
        await client.shutdown()
    }
}

let appsThreadMark = "isTheAppsThread"

/// Runs the body on a separate thread that stands for the app's main thread: no task of the SDK ever runs there.
func onTheAppsThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
        Thread {
            Thread.current.threadDictionary[appsThreadMark] = true
            continuation.resume(returning: body())
        }.start()
    }
}

/// Records the thread of every call.
private struct ThreadWatchingStorage: Storage {
    enum Call { case onTheAppsThread, elsewhere }

    let calls = Locked<[Call]>([])
    private let storage: MemoryStorage

    init(_ storage: MemoryStorage) { self.storage = storage }

    private func noted() -> MemoryStorage {
        let call = Thread.current.threadDictionary[appsThreadMark] == nil ? Call.elsewhere : .onTheAppsThread
        calls.withLock { $0.append(call) }
        return storage
    }

    func names() throws -> Set<StorageName> { try noted().names() }
    func read(_ name: StorageName) throws -> Data? { try noted().read(name) }
    func write(_ data: Data, to name: StorageName) throws { try noted().write(data, to: name) }
    func open(_ name: StorageName) throws -> any AppendableFile { try noted().open(name) }
    func remove(_ name: StorageName) throws { try noted().remove(name) }
    func setAside(_ name: StorageName) throws { try noted().setAside(name) }
}

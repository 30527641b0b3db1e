// SPDX-License-Identifier: Apache-2.0
import LandfallStore
import Synchronization

extension StoreClaim {
    private struct Refusal: Error {}

    /// What was heard, in order.
    private final class Heard: Sendable {
        private let news = Mutex<[StoreNews]>([])
        func add(_ one: StoreNews) { news.withLock { $0.append(one) } }
        var subjects: [String] {
            news.withLock(\.self).flatMap { if case .changed(let changes) = $0 { changes.map(\.subject) } else { ["missed"] } }
        }
    }

    private static func change(_ subject: String) -> StoreChange { StoreChange(.init("note"), app: "app", subject: subject) }

    static let changes = [
        StoreClaim("A change is heard before its caller is answered, and only if it is committed") { store in
            let heard = Heard()
            let observation = store.observers.add(heard.add)
            for id in 1...5 {
                try await store.write { connection in
                    connection.tell(change("\(id)"))
                    try connection.run(insert(Int64(id)))
                }
                try expect(heard.subjects, (1...id).map { "\($0)" }, "what was heard when write \(id) was answered")
                try await expectError("the body's error", { $0 is Refusal }) {
                    try await store.write { connection in
                        connection.tell(change("of a failed write"))
                        throw Refusal()
                    }
                }
            }
            try expect(heard.subjects.count, 5, "what was heard")
            withExtendedLifetime(observation) {}
        },
        StoreClaim("Writes at the same time are all heard, without those of failed ones between them") { store in
            let heard = Heard()
            let observation = store.observers.add(heard.add)
            await withTaskGroup(of: Void.self) { group in
                for id in 1...100 {
                    group.addTask {
                        _ = try? await store.write { connection in
                            connection.tell(change("\(id)"))
                            try connection.run(insert(Int64(id)))
                            if id % 3 == 0 { throw Refusal() }
                        }
                    }
                }
            }
            try expect(heard.subjects.sorted(), (1...100).filter { $0 % 3 != 0 }.map { "\($0)" }.sorted(), "what was heard")
            withExtendedLifetime(observation) {}
        },
        StoreClaim("Who no longer observes hears nothing") { store in
            let heard = Heard()
            var observation: StoreObservation? = store.observers.add(heard.add)
            _ = try await store.write { $0.tell(change("first")) }
            withExtendedLifetime(observation) {}
            observation = nil
            _ = try await store.write { $0.tell(change("second")) }
            try expect(heard.subjects, ["first"], "what was heard")
        },
    ]
}

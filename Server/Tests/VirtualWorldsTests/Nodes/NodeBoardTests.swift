// SPDX-License-Identifier: Apache-2.0
import LandfallSQLite
import LandfallStore
import Synchronization
import Testing

@testable import VirtualWorlds

@Suite("The nodes of one store in virtual time", .timeLimit(.minutes(1)))
struct NodeBoardTests {
    private let clock = VirtualClock()
    private let database: MemoryDatabase
    private let board: NodeBoard
    private let change = StoreChange(StoreChange.Kind("install"), app: "example", subject: "1")

    init() throws {
        database = try MemoryDatabase()
        board = NodeBoard(database, clock, Dice(seed: 1), VirtualTrace(clock, keepsLines: false))
    }

    private final class Ear: Sendable {
        let heard = Mutex<[StoreNews]>([])
        let observers = StoreObservers()
        let observation = Mutex<StoreObservation?>(nil)

        init(_ node: String, _ board: NodeBoard) {
            let observation = observers.add { [weak self] news in self?.heard.withLock { $0.append(news) } }
            self.observation.withLock { $0 = observation }
            board.hears(NodeName(node), observers)
        }

        var count: Int { heard.withLock(\.count) }
    }

    private func write(by node: String) {
        board.write(by: NodeName(node)) { [change] in
            database.write(.bulk, locking: [], { $0.tell(change) }, then: { _ in })
        }
    }

    @Test("A node hears of its own change at once, the others a little later, in order")
    func delays() {
        let own = Ear("a", board), other = Ear("b", board)

        write(by: "a")

        #expect(own.count == 1 && other.count == 0)
        while clock.advance() {}
        #expect(other.heard.withLock(\.self) == [.changed([change])])
        #expect(clock.elapsed <= .seconds(1))
    }

    @Test("A node that was deaf hears that it has missed something")
    func deaf() {
        let other = Ear("b", board)
        board.deafen(NodeName("b"), for: .seconds(5))

        write(by: "a")
        while clock.advance() {}

        #expect(other.heard.withLock(\.self) == [.missed])
    }

    @Test("A node that died stays on the board, silent, until somebody forgets it")
    func dead() {
        let name = NodeName("a")
        board.beat(name, release: "1", nowMs: VirtualServer.epochMs)
        board.died(name)
        clock.at(.milliseconds(2_999)) {}
        while clock.advance() {}
        board.forget(name)
        #expect(board.seen.living.map(\.name) == [name], "It is not dead yet.")

        clock.at(.seconds(4)) {}
        while clock.advance() {}

        #expect(board.seen.living.isEmpty && board.seen.nodes.map(\.silentMs) == [4_000])
        board.forget(name)
        #expect(board.seen.nodes.isEmpty)
    }
}

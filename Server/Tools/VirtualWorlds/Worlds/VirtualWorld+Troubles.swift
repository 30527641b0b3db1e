// SPDX-License-Identifier: Apache-2.0
import LandfallNode
import LandfallSQLite
import Synchronization

/// What happens to the server of a world.
extension VirtualWorld {
    func disturbServer() async throws {
        for _ in 0..<dice.number(1...3) {
            try await clock.sleep(for: dice.one(of: [dice.time(0...3_000), dice.time(0...20_000)]))
            if dice.happens(0.2) {
                try await fillDisk(for: dice.time(1...8_000))
                continue
            }
            let downFor = dice.one(of: [.milliseconds(1), dice.time(0...2_000), dice.time(0...10_000)])
            let stopsFirst = dice.happens(0.5) ? Duration.milliseconds(500) : .zero
            outages.withLock { $0.append(clock.elapsed...(clock.elapsed + stopsFirst + downFor + .seconds(16))) }
            if stopsFirst > .zero {
                trace.say("server: stops")
                server.stop()
                try await clock.sleep(for: stopsFirst)
            }
            server.kill()
            try await clock.sleep(for: downFor)
            if dice.happens(0.1) { try wipe() }
            try await server.start()
        }
    }

    private func fillDisk(for duration: Duration) async throws {
        outages.withLock { $0.append(clock.elapsed...(clock.elapsed + duration + .seconds(16))) }
        server.setDisk(isLow: true)
        try await clock.sleep(for: duration)
        server.setDisk(isLow: false)
    }

    /// The server begins again with an empty store, which has a new epoch.
    private func wipe() throws {
        // Nodes may have been started meanwhile.
        server.kill()
        trace.say("server: has lost its store")
        try ground.database.empty()
        storeReplaced(by: AcknowledgedEvents())
    }

    /// Whatever was acknowledged and is not in the new store is not owed any more.
    private func storeReplaced(by copy: AcknowledgedEvents) {
        handed.withLock { $0?.forget() }
        lastWipe.withLock { $0 = clock.elapsed }
        apple.serverWasWiped()
        ledger.wentBack(to: copy)
        receiver?.storeReplaced()
        server.board?.forgetAll()
        for phone in phones.withLock({ $0 }) { phone.serverWasWiped(at: clock.elapsed) }
    }

    /// The store is copied, and some time later the copy takes its place.
    func restore(_ dice: Dice) async throws {
        for _ in 0..<dice.number(1...2) {
            try await clock.sleep(for: dice.one(of: [dice.time(0...3_000), dice.time(0...20_000)]))
            let copy = try await NotedCopy(of: ground.database, ledger, at: clock.elapsed)
            trace.say("server: its store is copied")
            let pause = dice.one(of: [dice.time(0...3_000), dice.time(0...20_000), dice.time(0...90_000)])
            try await clock.sleep(for: pause)
            let downFor = dice.one(of: [.milliseconds(1), dice.time(0...5_000)])
            outages.withLock { $0.append(clock.elapsed...(clock.elapsed + downFor + .seconds(16))) }
            server.kill()
            try await clock.sleep(for: downFor)
            // Something else may have started it meanwhile.
            server.kill()
            trace.say("server: its store is what it was at \(copy.at)")
            let nowMs = VirtualServer.epochMs + clock.elapsed.exactMilliseconds
            try await copy.replace(ground.database, knowsStore: dice.happens(0.5), nowMs: nowMs, planted: ground.planted)
            storeReplaced(by: copy.acknowledged)
            try await startWhenPossible()
        }
    }

    /// Single nodes die and come back while the others serve, and some hear nothing of the others for a while.
    func disturbNodes() async throws {
        guard let board = server.board else { return }
        for _ in 0..<nodeDice.number(1...4) {
            try await clock.sleep(for: nodeDice.one(of: [nodeDice.time(0...3_000), nodeDice.time(0...20_000)]))
            let place = nodeDice.number(0...server.nodeCount - 1)
            if nodeDice.happens(0.3) {
                if let name = server.name(place) { board.deafen(name, for: nodeDice.time(1...10_000)) }
                continue
            }
            if nodeDice.happens(0.5) {
                server.stop(place)
                try await clock.sleep(for: .milliseconds(500))
            }
            server.kill(place)
            try await clock.sleep(for: nodeDice.one(of: [.milliseconds(1), nodeDice.time(0...3_000), nodeDice.time(0...15_000)]))
            try await startWhenPossible()
        }
    }

    /// Starts every node that does not run; while the disk is full it tries again.
    private func startWhenPossible() async throws {
        for attempt in 1... {
            do { return try await server.start() } catch {
                guard attempt < 100 else { throw error }
                try await clock.sleep(for: .milliseconds(250))
            }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallSQLite
import LandfallStore
import LandfallWire
import Synchronization

/// Notes at the server's door what it acknowledges: see ``AcknowledgedEvents``.
final class FactLedger: Sendable {
    private let trace: VirtualTrace
    private let events = Mutex(AcknowledgedEvents())

    private let planted: PlantedError?

    init(_ trace: VirtualTrace, planted: PlantedError? = nil) { (self.trace, self.planted) = (trace, planted) }

    /// What was acknowledged until now.
    var acknowledged: AcknowledgedEvents { events.withLock { $0 } }

    /// - Returns: a connection that hears what the server answers; the same one for requests that bring no events.
    func hearing(_ request: VirtualRequest, _ connection: any VirtualConnection) -> any VirtualConnection {
        guard request.method == "POST", request.target == WirePath.events else { return connection }
        let name = WireHeader.profile.lowercased()
        guard let profile = request.headers.first(where: { $0.key.lowercased() == name })?.value,
            let install = profile.split(separator: ".").first
        else { return connection }
        return HeardConnection(connection) { [self] in note($0, of: String(install)) }
    }

    private func note(_ body: Data, of install: String) {
        guard let answer = try? WireCoding.decode(EventBatchAnswer.self, from: body) else { return }
        for result in answer.results where result.status != .rejected {
            let key = AcknowledgedEvents.Key(install: install, event: result.id)
            let breach = events.withLock { $0.acknowledged(key, isNew: result.status == .accepted || planted == .forgottenEvents) }
            if let breach { trace.broke(breach.guarantee, breach.text) }
        }
    }

    /// The store is what it was when this was noted.
    func wentBack(to copy: AcknowledgedEvents) { events.withLock { $0.wentBack(to: copy) } }

    /// Compares the store with what was acknowledged.
    func check(_ guarantee: String, _ database: MemoryDatabase) async throws {
        let rows = try await database.read { try $0.rows("SELECT install_id, event_id FROM event", []) }
        var found: [AcknowledgedEvents.Key: Int] = [:]
        for row in rows {
            found[AcknowledgedEvents.Key(install: try row.text("install_id"), event: try row.text("event_id")), default: 0] += 1
        }
        for breach in acknowledged.breaches(guarantee, in: found) { trace.broke(breach.guarantee, breach.text) }
    }
}

/// Passes an answer on, and reads it once all of it has left the server with status 200.
private final class HeardConnection: VirtualConnection {
    private struct State {
        var status = 0
        var body = Data()
        var isOver = false
    }

    private let connection: any VirtualConnection
    private let heard: @Sendable (Data) -> Void
    private let state = Mutex(State())

    init(_ connection: any VirtualConnection, heard: @escaping @Sendable (Data) -> Void) {
        (self.connection, self.heard) = (connection, heard)
    }

    func head(_ status: Int, _ headers: [String: String]) {
        state.withLock { $0.status = status }
        connection.head(status, headers)
    }

    func bytes(_ bytes: Data) throws {
        state.withLock { $0.body.append(bytes) }
        try connection.bytes(bytes)
    }

    func end() {
        let body = state.withLock { state -> Data? in
            defer { state.isOver = true }
            return state.isOver || state.status != 200 ? nil : state.body
        }
        if let body { heard(body) }
        connection.end()
    }

    /// A process that was killed says nothing more, whatever its tasks still do.
    func broke() {
        state.withLock { $0.isOver = true }
        connection.broke()
    }
}

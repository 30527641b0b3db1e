// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallDatabase
import LandfallSQLite
import LandfallWire
import Synchronization

/// The guarantees that show at the end of a launch, and after the last one.
extension PhoneLaunch {
    /// Requests within ten seconds; a launch that does all it may do at once stays below, one that asks in a loop does not.
    private static let mostRequests = 30

    /// When the server knew what an ad token of this installation leads to.
    func settledAt() -> Duration? {
        phone.memory.withLock { $0.tokens }.compactMap(appleSettledAt).min()
    }

    func checkEnd(_ trace: VirtualTrace) {
        let opens = record.withLock { $0.opens }
        for open in opens where open.returnedAt == nil {
            let ends = startedAt + plan.length
            if open.deadline < ends, plan.suspension == nil { trace.broke("D1", "\(name): never returned: \(open.summary)") }
        }
        if client.runningOperations > 0 { trace.broke("D4", "\(name): \(client.runningOperations) operations are left") }
        let sent = transport.sentAt
        for (index, time) in sent.enumerated() where index >= Self.mostRequests {
            if time - sent[index - Self.mostRequests] < .seconds(10) {
                trace.broke("hammering", "\(name): \(Self.mostRequests) requests in ten seconds")
                break
            }
        }
        if plan.conditions.allSatisfy({ $0.1.kind == .captive || $0.1.kind == .offline }), !transport.heard.answers.isEmpty {
            trace.broke("captive", "\(name): a stranger's answer counted")
        }
    }

    /// The last launch had a good network for minutes.
    func checkSettled(_ database: MemoryDatabase, _ trace: VirtualTrace) async throws {
        let memory = phone.memory.withLock { $0 }
        guard let profile = client.profile else { return trace.broke("D9", "\(name): no profile after minutes of good network") }
        let expected: Bool =
            switch (phone.origin.ending, client.attribution) {
            case (.attributed, .attributed), (.organic, .notAttributed), (.nothing, .pending): true
            case (.invalidToken, .unavailable(.invalidToken)), (.notFound, .unavailable(.notFound)): true
            default: false
            }
        if !expected { trace.broke("D9", "\(name): \(phone.origin.ending) is known as \(client.attribution)") }
        if let sessions = memory.sessions, profile.customAttributes["sessions"] != .number(Double(sessions)) {
            let found = profile.customAttributes["sessions"].map { "\($0)" } ?? "nothing"
            trace.broke("D9", "\(name): sessions were set to \(sessions), the server has \(found)")
        }
        let installs = memory.installs.union([profile.installID.rawValue]).sorted()
        let stored = try await database.read { connection in
            try installs.flatMap { install in
                try connection.rows("SELECT event_id FROM event WHERE install_id = $1", [.text(install)]).map { try $0.text("event_id") }
            }
        }
        let count = Set(stored).count
        if count < memory.exposuresOfInstall || count > memory.exposures {
            trace.broke("D9", "\(name): \(memory.exposuresOfInstall)…\(memory.exposures) exposures, the server has \(count)")
        }
    }
}

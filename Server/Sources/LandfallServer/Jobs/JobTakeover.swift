// SPDX-License-Identifier: Apache-2.0
import LandfallStore

/// Takes a job from another node that is silent, for a phone that calls here and waits for it. Without such a call, the jobs of a dead
/// node are free some seconds later.
///
/// Not at the call itself: if a phone called faster than Apple answers, the job would go from node to node, and each would lose the
/// other's answer. A node that has missed a beat may live nonetheless. Then the work is done twice, and its result counts once.
struct JobTakeover: Sendable {
    let queue: JobQueue
    let nodes: any SharedDatabase
    let places: JobSlots
    let time: ServerTime
    let telemetry: JobTelemetry

    /// Looks at once, and again when the other node has had the time for a beat.
    func look(after name: JobName) async {
        repeat {
            // If the store does not answer, the heartbeat finds the dead node later.
            do { try await take(name) } catch {}
        } while places.isDoubtedAgain(name) && !Task.isCancelled
    }

    private func take(_ name: JobName) async throws {
        for isLast in [false, true] {
            guard let holder = try await queue.otherHolder(of: name), let node = holder.node else { return }
            let silentMs = try await nodes.nodes().silentMs(of: node) ?? .max
            if silentMs >= NodesSeen.lateMs { return try await take(name, from: holder) }
            // It has sent a beat since the call.
            if isLast { return }
            try await time.sleep(.milliseconds(NodesSeen.lateMs - silentMs))
        }
    }

    private func take(_ name: JobName, from holder: JobLease) async throws {
        guard let lease = places.reserve(name.kind, nowMs: time.nowMs()) else { return }
        var job: Job?
        defer { if job == nil { places.giveBack(name.kind) } }
        job = try await queue.take(name, from: holder, by: lease)
        guard let job else { return }
        telemetry.took(job)
        places.begin(job)
    }
}

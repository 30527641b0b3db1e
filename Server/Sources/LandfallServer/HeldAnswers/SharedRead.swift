// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallWire
import NIOCore
import Synchronization

/// One look at an install after a change, shared by all its holds: the first one has the install read, and each different
/// answer is encoded once, however many holds wait for it.
///
/// Only the holds that look keep a reference to it, so a waiting hold keeps nothing of the install in memory.
final class SharedRead: Sendable {
    /// The install at one time.
    struct Seen: Sendable {
        let install: Install
        let nowMs: Int64
    }

    /// What determines an answer besides the install: equal questions have equal bytes.
    struct Question: Hashable, Sendable {
        enum Asked: Hashable, Sendable {
            case profile
            case paywall(PlacementID, locale: LocaleCode?, saysAttribution: Bool, saysRules: Bool)
        }

        let asked: Asked
        let resolution: AttributionResolution
        /// The configuration's revision; 0 if the answer does not depend on it.
        var revision: Int64 = 0
    }

    private let reading = Mutex<Task<Seen?, any Error>?>(nil)
    private let answers = Mutex<[Question: ByteBuffer]>([:])

    /// True once the read has begun: later changes are not part of it.
    var hasBegun: Bool { reading.withLock { $0 != nil } }

    /// - Parameter read: called once, by the first look; nil if the install is gone. It runs in a task of its own, so that a
    ///   caller who disconnects does not end the read for the others.
    func seen(_ read: @escaping @Sendable () async throws -> Seen?) async throws -> Seen? {
        let task = reading.withLock { reading in
            let task = reading ?? Task { try await read() }
            reading = task
            return task
        }
        return try await task.value
    }

    /// - Parameter render: called once for each question; the other holds wait for it and share its memory.
    func bytes(of question: Question, _ render: () throws -> ByteBuffer) throws -> ByteBuffer {
        try answers.withLock { answers in
            if let bytes = answers[question] { return bytes }
            let bytes = try render()
            answers[question] = bytes
            return bytes
        }
    }
}

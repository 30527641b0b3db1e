// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import NIOCore
import Synchronization

/// One look at an install after a change, for everything that is held for it: the first who needs it has the install read, and
/// each different answer is put into bytes once, however many wait for it.
///
/// Those who look have the only references to it, so an answer that is held keeps nothing of the install.
final class SharedLook: Sendable {
    /// The install at one time.
    struct Seen: Sendable {
        let install: Install
        let nowMs: Int64
    }

    /// What an answer is made of besides the install: equal ones have equal bytes.
    struct Question: Hashable, Sendable {
        enum Asked: Hashable, Sendable {
            case profile
            case paywall(PlacementID, locale: LocaleCode?)
        }

        let asked: Asked
        let outlook: AttributionOutlook
        /// Of the configuration; 0 where it says nothing.
        var revision: Int64 = 0
    }

    private let reading = Mutex<Task<Seen?, any Error>?>(nil)
    private let answers = Mutex<[Question: ByteBuffer]>([:])

    /// What changes from now on is not in it.
    var hasBegun: Bool { reading.withLock { $0 != nil } }

    /// - Parameter read: called by the first who looks; nil where the install is gone. Not by whoever comes first: a caller
    ///   who leaves must not end what others wait for.
    func seen(_ read: @escaping @Sendable () async throws -> Seen?) async throws -> Seen? {
        let task = reading.withLock { reading in
            let task = reading ?? Task { try await read() }
            reading = task
            return task
        }
        return try await task.value
    }

    /// - Parameter render: called once for each question; the others wait for it and share its memory.
    func bytes(of question: Question, _ render: () throws -> ByteBuffer) throws -> ByteBuffer {
        try answers.withLock { answers in
            if let bytes = answers[question] { return bytes }
            let bytes = try render()
            answers[question] = bytes
            return bytes
        }
    }
}

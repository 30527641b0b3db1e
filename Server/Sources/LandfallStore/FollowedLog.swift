// SPDX-License-Identifier: Apache-2.0

/// A store whose commits can be followed in its log.
package protocol LogFollowing: Sendable {
    /// The log from now on. Only one value at a time follows a store, and it alone decides when the log begins anew.
    /// - Throws: ``DatabaseError``.
    func followLog() async throws -> any FollowedLog
}

/// The log of a store, batch by batch. One caller at a time calls it, and asks for a batch when the one before is sent.
package protocol FollowedLog: Sendable {
    /// In the log behind the last batch that was sent, in bytes.
    var unsentBytes: Int64 { get }
    /// True if the log is so long that it should begin anew.
    var isLong: Bool { get }

    /// The last batch is sent.
    func sent()

    /// What was committed since the last batch.
    /// - Returns: nil if nothing was.
    /// - Throws: ``LogBroken``, ``DatabaseError``.
    func next() async throws -> (any LogBatch)?

    /// The same, and a snapshot of the store exactly behind it.
    func nextWithSnapshot() async throws -> (batch: (any LogBatch)?, snapshot: any StoreSnapshot)

    /// Moves everything into the store's file, so that the log begins anew, if no reader needs it. The writer is stopped only for what was
    /// committed meanwhile, which is kept in memory.
    /// - Returns: what was committed since the last batch; nil if nothing was.
    /// - Throws: as ``next()``.
    func restart() async throws -> (any LogBatch)?

    /// The store looks after its log itself again.
    func end() async
}

/// Changed pages of a store: together they lead from one commit to a later one. Readable until the next batch is asked for.
package protocol LogBatch: Sendable {
    /// At least 1; each has some MiB at most.
    var segmentCount: Int { get }

    /// The bytes of a segment's file: the same at every call. Blocks.
    /// - Parameters:
    ///   - index: from 0 on.
    ///   - number: of the segment, in its generation.
    ///   - atMs: when everything in the batch was committed.
    func segment(_ index: Int, generation: String, number: Int64, atMs: Int64) throws -> [UInt8]
}

/// A snapshot that stays as it is until it is copied or released.
package protocol StoreSnapshot: Sendable {
    /// Once: as ``StoreCopying/copy(to:isReplacing:progress:)``. The snapshot is released then.
    /// - Returns: the size of the file in bytes.
    func copy(to path: String) async throws -> Int64
}

/// The log is not the one that was followed: another program has written to the store or has moved its log. Begin with a whole copy.
package struct LogBroken: Error, Hashable, Sendable, CustomStringConvertible {
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
    package var description: String { "The store's log is not continued: \(reason). A new whole copy is made; let no other program open the store." }
}

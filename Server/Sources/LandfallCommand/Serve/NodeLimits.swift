// SPDX-License-Identifier: Apache-2.0

/// How much one node takes at once, from what its machine has. Options say otherwise.
struct NodeLimits: Hashable {
    /// What a connection and the answer that is held on it take together, with room for bursts: about twice of what was measured.
    static let connectionBytes: UInt64 = 64 * 1024

    let connections: Int
    let held: Int
    /// Bytes of one body: that of a long list of links, unless there is little memory.
    let body: Int
    /// Writes that may wait for the store. They fill a quarter of a small memory, whoever sends them.
    let writes: Int
    let bulkWrites: Int

    /// - Parameters:
    ///   - openFiles: how many this process may have; 0 where the system does not say.
    ///   - memory: in bytes, of the machine or of what contains the process.
    ///   - connections: as many as the operator allows.
    init(openFiles: UInt64, memory: UInt64, connections: Int? = nil) {
        // The other half is for the store's pages, what it works on, and everybody else.
        let fitting = Int(min(memory / 2 / Self.connectionBytes, 1_000_000))
        self.connections = connections ?? min(OpenFiles.connections(of: openFiles), max(fitting, 64))
        // Each held answer has a connection; a quarter is for calls that are answered at once.
        held = self.connections / 4 * 3 + self.connections % 4
        body = Int(min(max(memory / 64, 1 << 20), 8 << 20))
        writes = Int(min(max(memory / (32 << 10), 1_024), 16_384))
        bulkWrites = Int(min(max(memory / (2 << 20), 16), 256))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// How much one node takes at once, derived from its machine. Options override it.
struct NodeLimits: Hashable {
    /// The memory of a connection with a held answer, with room for bursts: about twice the measured value.
    static let connectionBytes: UInt64 = 64 * 1024

    let connections: Int
    let held: Int
    /// The largest body in bytes: that of a long list of links, less on a machine with little memory.
    let body: Int
    /// The most writes that may wait for the store. Their requests fill at most a quarter of a small memory.
    let writes: Int
    let bulkWrites: Int
    /// For installs that were read lately, in bytes.
    let installs: Int

    /// - Parameters:
    ///   - openFiles: the process's limit; 0 if the system does not tell.
    ///   - memory: in bytes, of the machine or of the process's container.
    ///   - connections: the operator's limit.
    init(openFiles: UInt64, memory: UInt64, connections: Int? = nil) {
        // The other half is for the store's pages, requests under way, and other processes.
        let fitting = Int(min(memory / 2 / Self.connectionBytes, 1_000_000))
        self.connections = connections ?? min(OpenFiles.connections(of: openFiles), max(fitting, 64))
        // Each held answer has a connection; a quarter is for calls that are answered at once.
        held = self.connections / 4 * 3 + self.connections % 4
        body = Int(min(max(memory / 64, 1 << 20), 8 << 20))
        writes = Int(min(max(memory / (32 << 10), 1_024), 16_384))
        installs = Int(min(max(memory / 16, 8 << 20), 1 << 30))
        bulkWrites = Int(min(max(memory / (2 << 20), 16), 256))
    }
}

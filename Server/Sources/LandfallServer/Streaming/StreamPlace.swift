// SPDX-License-Identifier: Apache-2.0

/// Where a stream of a store is kept. Every file appears under its name only when all of it is there.
package protocol StreamPlace: Sendable, CustomStringConvertible {
    func files() async throws -> [StreamFile]

    /// Replaces an older file of that name.
    func write(_ bytes: [UInt8], as file: StreamFile) async throws

    /// - Parameter copying: makes a file of the path that it gets, on this machine.
    /// - Returns: the size in bytes, and the path if the copy is on this machine.
    func receive(_ file: StreamFile, copying: @escaping @Sendable (String) async throws -> Int64) async throws -> (bytes: Int64, path: String?)

    /// - Returns: nil if there is no such file.
    func read(_ file: StreamFile) async throws -> [UInt8]?

    /// Writes a file of the place into one of this machine, which does not exist yet.
    func fetch(_ file: StreamFile, into path: String) async throws

    /// Succeeds too if there is no such file.
    func remove(_ file: StreamFile) async throws
}

/// A folder or a file of a stream cannot be used.
package struct StreamFileError: Error, Hashable, Sendable, CustomStringConvertible {
    let path: String
    let reason: String

    package var description: String { "'\(path)' cannot be used for the stream of the store: \(reason). The folder has to exist and to belong to the server's user." }
}

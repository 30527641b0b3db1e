// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

@testable import LandfallServer

/// A place in memory that fails when a test says so.
final class MemoryPlace: StreamPlace {
    private struct State {
        var files: [StreamFile: [UInt8]] = [:]
        var isAway = false
        var refusesCopies = false
        var written: [StreamFile] = []
    }

    private let state = Mutex(State())
    private let folder: URL

    /// - Parameter folder: for whole copies while they are made.
    init(_ folder: URL) { self.folder = folder }

    var description: String { "memory" }
    var contents: [StreamFile: [UInt8]] { state.withLock(\.files) }
    /// In order; tries that failed are among them.
    var written: [StreamFile] { state.withLock(\.written) }
    var isAway: Bool {
        get { state.withLock(\.isAway) }
        set { state.withLock { $0.isAway = newValue } }
    }

    /// Whole copies fail, and segments do not.
    var refusesCopies: Bool {
        get { state.withLock(\.refusesCopies) }
        set { state.withLock { $0.refusesCopies = newValue } }
    }

    func put(_ file: StreamFile) { state.withLock { $0.files[file] = [] } }

    private func checked<Value>(_ body: (inout State) -> Value) throws -> Value {
        try state.withLock { state in
            if state.isAway { throw StreamFileError(path: "memory", reason: "away") }
            return body(&state)
        }
    }

    func files() async throws -> [StreamFile] { try checked { Array($0.files.keys) } }

    func write(_ bytes: [UInt8], as file: StreamFile) async throws {
        state.withLock { $0.written.append(file) }
        try checked { $0.files[file] = bytes }
    }

    func receive(_ file: StreamFile, copying: @escaping @Sendable (String) async throws -> Int64) async throws -> (bytes: Int64, path: String?) {
        let path = folder.appending(path: "copying.sqlite").path, bytes = try await copying(path)
        let data = try [UInt8](Data(contentsOf: URL(filePath: path)))
        if refusesCopies { throw StreamFileError(path: "memory", reason: "full") }
        try checked { $0.files[file] = data }
        return (bytes, nil)
    }

    func read(_ file: StreamFile) async throws -> [UInt8]? { try checked { $0.files[file] } }

    func fetch(_ file: StreamFile, into path: String) async throws {
        try Data(try checked { $0.files[file] ?? [] }).write(to: URL(filePath: path))
    }

    func remove(_ file: StreamFile) async throws { _ = try checked { $0.files.removeValue(forKey: file) } }
}

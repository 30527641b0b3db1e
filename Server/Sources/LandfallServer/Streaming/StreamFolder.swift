// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// A stream in a folder, each generation in one of its own. The folder itself has to exist: a disk that is not mounted must not be mistaken for it.
package struct StreamFolder: StreamPlace {
    private static let ending = ".part"
    private static let blockBytes = 1 << 20

    private let path: String

    package init(_ path: String) { self.path = path }

    package var description: String { path }

    private func path(_ file: StreamFile) -> String { "\(path)/\(file.name)" }

    package func files() async throws -> [StreamFile] {
        try await onThread { [path] in
            let names = try Self.names(in: path).filter { $0.hasPrefix(StreamGeneration.beginning) }
            return try names.flatMap { name in try Self.names(in: "\(path)/\(name)").compactMap { StreamFile("\(name)/\($0)") } }
        }
    }

    private static func names(in folder: String) throws -> [String] {
        guard let entries = opendir(folder) else {
            // A file whose name begins as that of a generation.
            if errno == ENOTDIR { return [] }
            throw failure(folder)
        }
        closedir(entries)
        return try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    package func write(_ bytes: [UInt8], as file: StreamFile) async throws {
        try await onThread { [self] in
            let name = path(file), part = "\(name).\(UUID().uuidString)\(Self.ending)", folder = try make(file.generation)
            let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure(part) }
            // Of no effect once it has its name.
            defer {
                close(descriptor)
                unlink(part)
            }
            var done = 0
            while done < bytes.count {
                let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress.map { $0 + done }, bytes.count - done) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failure(part) }
                done += count
            }
            guard fsync(descriptor) == 0, rename(part, name) == 0 else { throw Self.failure(name) }
            try Self.sync(folder)
        }
    }

    package func receive(_ file: StreamFile, copying: @escaping @Sendable (String) async throws -> Int64) async throws -> (bytes: Int64, path: String?) {
        _ = try await onThread { [self] in try make(file.generation) }
        return (try await copying(path(file)), path(file))
    }

    package func read(_ file: StreamFile) async throws -> [UInt8]? {
        try await onThread { [self] in
            let name = path(file)
            guard FileManager.default.fileExists(atPath: name) else { return nil }
            return [UInt8](try Data(contentsOf: URL(filePath: name)))
        }
    }

    package func fetch(_ file: StreamFile, into path: String) async throws {
        try await onThread { [self] in
            // Not with the permissions that a share gives its files.
            guard let source = FileHandle(forReadingAtPath: self.path(file)) else { throw Self.failure(self.path(file)) }
            defer { try? source.close() }
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { throw Self.failure(path) }
            let target = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            while let data = try source.read(upToCount: Self.blockBytes), !data.isEmpty { try target.write(contentsOf: data) }
            try target.close()
        }
    }

    package func remove(_ file: StreamFile) async throws {
        try await onThread { [self] in
            guard unlink(path(file)) == 0 || errno == ENOENT else { throw Self.failure(path(file)) }
            rmdir("\(path)/\(file.generation.name)")
        }
    }

    /// The folder of a generation.
    private func make(_ generation: StreamGeneration) throws -> String {
        let folder = "\(path)/\(generation.name)"
        if mkdir(folder, 0o700) == 0 {
            try clear(besides: generation)
            try Self.sync(path)
        } else if errno != EEXIST { throw Self.failure(folder) }
        return folder
    }

    /// Deletes what a killed server has left half written in earlier generations.
    private func clear(besides own: StreamGeneration) throws {
        for name in try Self.names(in: path) where name.hasPrefix(StreamGeneration.beginning) && name != own.name {
            for left in try Self.names(in: "\(path)/\(name)") where left.contains(/^[0-9]{10}[.-].*\.(part|partial)(-journal)?$/) {
                unlink("\(path)/\(name)/\(left)")
            }
            // Fails as long as it is not empty.
            rmdir("\(path)/\(name)")
        }
    }

    /// The names in a folder have to outlast a power cut.
    private static func sync(_ folder: String) throws {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        // Not every share can do that.
        fsync(descriptor)
    }

    private static func failure(_ path: String) -> StreamFileError { StreamFileError(path: path, reason: String(cString: strerror(errno))) }
}

// SPDX-License-Identifier: Apache-2.0
internal import Foundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A file descriptor of the operating system. The last reference closes it, and closing it releases its lock.
final class OpenFile: Sendable {
    private let descriptor: Int32

    /// - Parameter flags: those of open(2). A new file can be read by its user only.
    init(_ path: String, _ flags: Int32) throws {
        descriptor = retryingInterrupted { open(path, flags | O_CLOEXEC, 0o600) }
        if descriptor < 0 { throw StorageFailure("open", path) }
    }

    deinit { close(descriptor) }

    /// - Parameter path: for the errors' texts.
    /// - Throws: ``StrangeFile``, before anything is read. ``StorageFailure``.
    func readToEnd(_ path: String, atMost limit: Int) throws -> Data {
        var facts = stat()
        if fstat(descriptor, &facts) != 0 { throw StorageFailure("read", path) }
        guard facts.st_mode & S_IFMT == S_IFREG else { throw StrangeFile(path: path, what: "is not a regular file") }
        // Some regular files of the system have no size and no end.
        var length = Int(facts.st_size)
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while length <= limit {
            let count = retryingInterrupted { read(descriptor, &buffer, buffer.count) }
            if count < 0 { throw StorageFailure("read", path) }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
            length = max(length, data.count)
        }
        throw StrangeFile(path: path, what: "has \(length) bytes and more than \(limit)")
    }

    /// Replaces the content by this short text.
    func put(_ text: String) {
        let bytes = Array(text.utf8)
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, bytes, bytes.count, 0) }
    }

    func write(_ data: Data) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = retryingInterrupted { writeOnce(rest) }
            if count < 0 { throw StorageFailure("write") }
            rest = rest.dropFirst(count)
        }
    }

    /// Appends in one write(2), which a kill of the process does not split. If a full disk takes only a part of the data, that
    /// part stays in the file: another thread may already have written behind it.
    func append(_ data: Data) throws {
        if data.isEmpty { return }
        let count = retryingInterrupted { writeOnce(data) }
        if count != data.count { throw count < 0 ? StorageFailure("append") : StorageFailure("append", code: ENOSPC) }
    }

    /// Forces the data to the disk, so that it also survives a power cut.
    func sync() throws {
        #if canImport(Darwin)
        // There fsync leaves the data in the drive's cache. Some file systems refuse this call.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        if fsync(descriptor) != 0 { throw StorageFailure("sync") }
    }

    /// True when this file is now locked for this descriptor; never waits.
    func lockIfFree() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    private func writeOnce(_ data: Data) -> Int { data.withUnsafeBytes { systemWrite(descriptor, $0) } }
}

/// write(2), by a name that a type's own `write` does not hide.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int { write(descriptor, bytes.baseAddress, bytes.count) }

/// In the place of one of the SDK's files lies something that no release of the SDK writes, and that is never read.
struct StrangeFile: Error, Hashable, CustomStringConvertible {
    let path: String
    /// A verb and what follows.
    let what: String

    var description: String { "\(path) \(what)." }
}

/// The operating system refused; the text says what was tried and why not.
struct StorageFailure: Error, Hashable, CustomStringConvertible {
    let operation: String
    let path: String
    /// `errno`.
    let code: Int32

    init(_ operation: String, _ path: String = "", code: Int32 = errno) {
        self.operation = operation
        self.path = path
        self.code = code
    }

    var description: String {
        "Could not \(operation) \(path.isEmpty ? "a file" : path): \(String(cString: strerror(code)))."
    }
}

private func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

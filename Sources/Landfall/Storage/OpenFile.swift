// SPDX-License-Identifier: Apache-2.0
internal import Foundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// A descriptor of the operating system, closed with its last reference; closing gives up its lock too.
final class OpenFile: AppendableFile {
    private let descriptor: Int32

    /// - Parameter flags: as of open(2). A file that is made is readable by its user alone.
    init(_ path: String, _ flags: Int32) throws {
        descriptor = retryingInterrupted { open(path, flags | O_CLOEXEC, 0o600) }
        if descriptor < 0 { throw StorageFailure("open", path) }
    }

    deinit { close(descriptor) }

    func readToEnd() throws -> Data {
        var data = Data()
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = retryingInterrupted { read(descriptor, &buffer, buffer.count) }
            if count < 0 { throw StorageFailure("read") }
            if count == 0 { return data }
            data.append(contentsOf: buffer[..<count])
        }
    }

    func write(_ data: Data) throws {
        var rest = data[...]
        while !rest.isEmpty {
            let count = retryingInterrupted { writeOnce(rest) }
            if count < 0 { throw StorageFailure("write") }
            rest = rest.dropFirst(count)
        }
    }

    /// In one write(2), which a kill of the process does not split. What a full disk takes a part of stays: another thread may
    /// have written behind it.
    func append(_ data: Data) throws {
        if data.isEmpty { return }
        let count = retryingInterrupted { writeOnce(data) }
        if count != data.count { throw count < 0 ? StorageFailure("append") : StorageFailure("append", code: ENOSPC) }
    }

    /// On the disk, not only safe from a kill of the process.
    func sync() throws {
        if fsync(descriptor) != 0 { throw StorageFailure("sync") }
    }

    /// True when this file is now locked for this descriptor; never waits.
    func lockIfFree() -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

    private func writeOnce(_ data: Data) -> Int { data.withUnsafeBytes { systemWrite(descriptor, $0) } }
}

/// write(2), by a name that a type's own `write` does not hide.
func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int { write(descriptor, bytes.baseAddress, bytes.count) }

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
        "Could not \(operation) \(path.isEmpty ? "a file" : path): \(String(cString: strerror(code))). "
            + "The SDK tries again; check the free space and the permissions of its directory if this stays."
    }
}

private func retryingInterrupted<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result >= 0 || errno != EINTR { return result }
    }
}

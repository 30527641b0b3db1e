// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Standard input, in the pieces in which it arrives. Nothing is read before it is asked for: a client that writes faster than its
/// requests are taken waits.
struct StandardInput: Sendable {
    private static let piece = 64 * 1024
    /// Reading waits, so that no thread of tasks may do it.
    private let queue = DispatchQueue(label: "landfall.mcp.input")

    /// - Returns: nil at the end of the input.
    func next() async -> [UInt8]? {
        await withCheckedContinuation { (continuation: CheckedContinuation<[UInt8]?, Never>) in
            queue.async { continuation.resume(returning: Self.read()) }
        }
    }

    private static func read() -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: piece) { buffer, count in
            var got = Foundation.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            while got < 0, errno == EINTR { got = Foundation.read(STDIN_FILENO, buffer.baseAddress, buffer.count) }
            count = max(0, got)
        }
        return bytes.isEmpty ? nil : bytes
    }
}

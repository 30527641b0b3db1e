// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallStore

/// Standard input, in the pieces in which it arrives. Nothing is read before it is asked for: a client that writes faster than its
/// messages are taken waits.
enum StandardInput {
    private static let piece = 64 * 1024

    /// - Returns: nil at the end of the input.
    static func next() async -> [UInt8]? {
        await onThread { () -> [UInt8]? in
            let bytes = [UInt8](unsafeUninitializedCapacity: piece) { buffer, count in
                var got = read(STDIN_FILENO, buffer.baseAddress, buffer.count)
                while got < 0, errno == EINTR { got = read(STDIN_FILENO, buffer.baseAddress, buffer.count) }
                // An input that cannot be read has ended.
                count = max(0, got)
            }
            return bytes.isEmpty ? nil : bytes
        }
    }
}

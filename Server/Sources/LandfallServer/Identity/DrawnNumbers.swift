// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Random numbers of the system, drawn a few at a time, because each draw is a system call. For ids only; code that needs a
/// secret draws it itself.
final class DrawnNumbers: Sendable {
    static let shared = DrawnNumbers()

    private let drawn = Mutex<[UInt64]>([])

    func next() -> UInt64 {
        drawn.withLock { drawn in
            if drawn.isEmpty { drawn = Self.draw() }
            return drawn.removeLast()
        }
    }

    /// As many bytes as the system gives in one call.
    private static func draw() -> [UInt64] {
        var numbers = [UInt64](repeating: 0, count: 32)
        let failed = numbers.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        precondition(failed == 0, "The system has no random numbers.")
        return numbers
    }
}

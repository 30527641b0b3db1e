// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization

/// Random numbers of the system, drawn a few at a time: to ask it for each is a call into the kernel. For ids; what has to be
/// secret is drawn where it is made.
final class DrawnNumbers: Sendable {
    static let shared = DrawnNumbers()

    private let drawn = Mutex<[UInt64]>([])

    func next() -> UInt64 {
        drawn.withLock { drawn in
            if drawn.isEmpty { drawn = Self.draw() }
            return drawn.removeLast()
        }
    }

    /// As many as the system gives at once.
    private static func draw() -> [UInt64] {
        var numbers = [UInt64](repeating: 0, count: 32)
        let failed = numbers.withUnsafeMutableBytes { getentropy($0.baseAddress, $0.count) }
        precondition(failed == 0, "The system has no random numbers.")
        return numbers
    }
}

// SPDX-License-Identifier: Apache-2.0
import CPostgres
import Foundation
import Synchronization

/// Asks the server to end the statement that a connection runs. Any thread; never waits.
///
/// Unchecked, because libpq allows every thread to cancel, and the pointer never changes.
final class StatementCanceller: @unchecked Sendable {
    private let library: Libpq
    private let handle: OpaquePointer
    /// A cancellation makes a connection of its own, which may take as long as the network likes.
    private static let running = Atomic(0)
    private static let most = 16

    init?(_ library: Libpq, _ connection: OpaquePointer) {
        guard let handle = library.functions.getCancel(connection) else { return nil }
        (self.library, self.handle) = (library, handle)
    }

    deinit { library.functions.freeCancel(handle) }

    /// A server that is between two statements forgets a cancellation.
    /// - Parameter isWanted: true repeats it.
    func cancel(while isWanted: @escaping @Sendable () -> Bool = { false }) {
        guard Self.running.add(1, ordering: .relaxed).newValue <= Self.most else {
            Self.running.subtract(1, ordering: .relaxed)
            return
        }
        Thread.detachNewThread { [self] in
            var reason = [CChar](repeating: 0, count: 256)
            repeat {
                _ = library.functions.cancel(handle, &reason, Int32(reason.count))
                if isWanted() { Thread.sleep(forTimeInterval: 0.1) }
            } while isWanted()
            Self.running.subtract(1, ordering: .relaxed)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Runs work that blocks on a new thread: it occupies none of the few threads that serve requests. Cancellation does not end it.
package func onThread<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        Thread.detachNewThread { continuation.resume(returning: Result(catching: work)) }
    }
    return try result.get()
}

// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Stops the tasks of one session, and never blocks the caller.
///
/// Foundation on Linux reads all answers on one queue, and a cancellation waits until that queue is empty. It never is while an
/// answer comes as fast as it is read: such an answer went on for gigabytes after its limit, and its reader waited for the end. So
/// reading pauses until the task has ended.
struct TaskStop: Sendable {
    #if canImport(FoundationNetworking)
    /// nil if this release of Foundation keeps its queue elsewhere: then a cancellation waits, but blocks no reader.
    private let reading: DispatchQueue?

    init(in session: URLSession) {
        let handle = Mirror(reflecting: session).children.first { $0.label == "multiHandle" }?.value
        reading = handle.flatMap { Mirror(reflecting: $0).children.first { $0.label == "queue" }?.value as? DispatchQueue }
    }

    func stop(_ task: URLSessionTask) {
        DispatchQueue.global(qos: .userInitiated).async { [reading] in
            reading?.suspend()
            defer { reading?.resume() }
            task.cancel()
            // Returns after the work of the cancellation, which is done in order.
            _ = task.state
        }
    }
    #else
    init(in session: URLSession) {}

    func stop(_ task: URLSessionTask) { task.cancel() }
    #endif
}

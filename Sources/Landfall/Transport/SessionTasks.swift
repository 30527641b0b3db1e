// SPDX-License-Identifier: Apache-2.0
internal import Dispatch
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// Makes and stops the tasks of one session, and never blocks the caller.
///
/// Foundation on Linux reads all answers of the process on one queue, and making or cancelling a task waits until that queue is
/// empty. It never is while an answer comes as fast as it is read: such an answer went on for gigabytes after its limit, its reader
/// waited for the end, and two of them kept every task of the process waiting. So nothing here runs on the caller's thread, and
/// reading pauses until a cancelled task has ended. What is being read at that moment is still read: at most some megabytes.
struct SessionTasks: Sendable {
    private let session: URLSession

    #if canImport(FoundationNetworking)
    // Queues of their own have threads of their own: the global ones have as few as there are processors, as tasks do, and work that
    // waits there holds up everything else. Two, because stopping a task may be what making one waits for.
    private let making = DispatchQueue(label: "Landfall.SessionTasks.making", qos: .userInitiated)
    private let stopping = DispatchQueue(label: "Landfall.SessionTasks.stopping", qos: .userInitiated)
    /// nil if this release of Foundation keeps its queue elsewhere: then a cancellation waits, but blocks no reader.
    private let reading: DispatchQueue?

    init(_ session: URLSession) {
        self.session = session
        let handle = Mirror(reflecting: session).children.first { $0.label == "multiHandle" }?.value
        reading = handle.flatMap { Mirror(reflecting: $0).children.first { $0.label == "queue" }?.value as? DispatchQueue }
    }

    func make(_ request: URLRequest, _ use: @escaping @Sendable (URLSessionDataTask) -> Void) {
        making.async { [session] in use(session.dataTask(with: request)) }
    }

    func stop(_ task: URLSessionTask) {
        whileNothingIsRead {
            task.cancel()
            // Does nothing to a cancelled task, but waits its turn: the connection is closed when it returns.
            task.suspend()
        }
    }

    func stopAll() { whileNothingIsRead { [session] in session.invalidateAndCancel() } }

    private func whileNothingIsRead(_ work: @escaping @Sendable () -> Void) {
        stopping.async { [reading] in
            reading?.suspend()
            defer { reading?.resume() }
            work()
        }
    }
    #else
    init(_ session: URLSession) { self.session = session }

    func make(_ request: URLRequest, _ use: (URLSessionDataTask) -> Void) { use(session.dataTask(with: request)) }

    func stop(_ task: URLSessionTask) { task.cancel() }

    func stopAll() { session.invalidateAndCancel() }
    #endif
}

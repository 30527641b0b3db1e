// SPDX-License-Identifier: Apache-2.0
/// Keeps a closure listening to links.
public final class LinkObservation: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }

    /// Ends the observation. Links that have not reached the closure wait for the next listener; one that the closure has comes
    /// again at the next launch, unless the closure returns or `handled` is called.
    public func cancel() { task.cancel() }
}

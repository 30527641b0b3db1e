// SPDX-License-Identifier: Apache-2.0

extension Adjust {
    /// Restores the collection mode from before ``disable()`` in this launch, else collects everything. A call before `start`
    /// takes effect then.
    public static func enable() { Connection.current.isCollecting = true }

    /// From now on, also in later launches, the server gets no click and nothing about this phone. Links are still answered:
    /// short ones with the original link, because only the server knows their destination.
    public static func disable() { Connection.current.isCollecting = false }

    /// As ``enable()`` and ``disable()``.
    public static func setEnabled(_ enabled: Bool) { Connection.current.isCollecting = enabled }

    /// False after ``disable()`` and ``gdprForgetMe()``, also in later launches.
    public static func isEnabled() -> Bool { Connection.current.isCollecting }

    /// As ``isEnabled()``, on the main thread.
    @preconcurrency
    #if canImport(ObjectiveC)
    @objc(isEnabledWithCompletionHandler:)
    #endif
    public static func isEnabled(completionHandler: @escaping @MainActor (Bool) -> Void) {
        let isCollecting = isEnabled()
        Task { await completionHandler(isCollecting) }
    }

    /// Erases the person: collection is off from now on, and the server's data about this profile and what is stored here is
    /// removed. The request is kept and repeated in later launches until the server has answered.
    public static func gdprForgetMe() { Connection.current.erase() }
}

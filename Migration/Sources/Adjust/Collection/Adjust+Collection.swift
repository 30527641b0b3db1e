// SPDX-License-Identifier: Apache-2.0

extension Adjust {
    /// What was collected before ``disable()`` in this launch is collected again, else everything. Said before `start`,
    /// it counts from then on.
    public static func enable() { Connection.current.isCollecting = true }

    /// From now on the server is told of no click and nothing about this phone; kept for later launches. Links go on being
    /// answered: short ones with the link as it came, because what they lead to only the server knows.
    public static func disable() { Connection.current.isCollecting = false }

    /// As ``enable()`` and ``disable()``.
    public static func setEnabled(_ enabled: Bool) { Connection.current.isCollecting = enabled }

    /// False after ``disable()`` and ``gdprForgetMe()``, also in later launches.
    public static func isEnabled() -> Bool { Connection.current.isCollecting }

    /// As ``isEnabled()``, on the main thread.
    public static func isEnabled(completionHandler: @escaping @MainActor (Bool) -> Void) {
        let isCollecting = isEnabled()
        Task { await completionHandler(isCollecting) }
    }

    /// As ``disable()``. What the server already has of this person stays there until the team erases it.
    public static func gdprForgetMe() { Connection.current.isCollecting = false }
}

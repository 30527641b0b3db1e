// SPDX-License-Identifier: Apache-2.0

/// How long calls wait for pending attribution in this launch.
struct AttributionWait: Sendable {
    /// Counted from the moment at which the client is started and the app is visible.
    private let limit: Duration?
    /// nil: until each call's own deadline.
    private(set) var until: Duration?
    var ownTimer: OwnTimer

    init(limit: Duration?, ownTimer: Duration?) {
        self.limit = limit?.withinADay
        self.ownTimer = OwnTimer(shortest: ownTimer?.withinADay)
    }

    mutating func begins(now: Duration) {
        until = limit.map { now + $0 }
        ownTimer.begins(now: now)
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A hold together with its place among those of the node. The place is given back when the answer has been written, and
/// also when it is never written: a caller who leaves between its request and the first byte must not keep a place for ever.
final class HeldPlace: Sendable {
    let hold: Hold
    private let holds: Holds

    /// Nil where the node or the address holds as many as it may, or the node is stopping.
    init?(
        _ kind: Holds.Kind, _ app: AppID, _ install: InstallID, at address: ClientAddress? = nil,
        about placements: [PlacementID] = [], in holds: Holds
    ) {
        guard let hold = holds.take(kind, app: app, install: install, at: address, about: placements) else { return nil }
        self.hold = hold
        self.holds = holds
    }

    deinit { release() }

    /// See ``Holds/admit(_:)``.
    func admit() -> Bool { holds.admit(hold) }

    func release() { holds.release(hold) }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A hold together with its place among those of the node. The place is given back when the answer has been written, and
/// also when nobody ever writes it: a caller who leaves between its request and the first byte must not take one for good.
final class HeldPlace: Sendable {
    let hold: Hold
    private let holds: Holds

    /// Nil where the node holds as many as it may or is stopping.
    init?(_ kind: Holds.Kind, _ app: AppID, _ install: InstallID, in holds: Holds) {
        guard let hold = holds.take(kind, app: app, install: install) else { return nil }
        self.hold = hold
        self.holds = holds
    }

    deinit { release() }

    /// See ``Holds/endOlder(than:)``.
    func endOlder() { holds.endOlder(than: hold) }

    func release() { holds.release(hold) }
}

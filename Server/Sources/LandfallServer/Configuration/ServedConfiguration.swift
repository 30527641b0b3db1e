// SPDX-License-Identifier: Apache-2.0
/// The configuration that this process serves. A request takes the snapshot once, so that one answer never mixes two versions.
struct ServedConfiguration: Sendable {
    let snapshot: Snapshot

    init(_ snapshot: Snapshot) { self.snapshot = snapshot }
}

// SPDX-License-Identifier: Apache-2.0
import Landfall
import LandfallWire

/// One call for a paywall: what was asked, and what came back when.
struct PaywallOpen: Sendable {
    static let placement: PlacementID = "onboarding"

    let isForEveryone: Bool
    let asked: Duration
    let deadline: Duration
    var cancelledAt: Duration?
    var returnedAt: Duration?
    var result: PaywallResult?
    var error: (any Error)?
    /// What this launch had shown in the placement when the call returned.
    var pinned: PaywallResult?
    /// True if the person has changed in this launch: an answer may be about either person.
    var mayBeSomebodyElse = false
}

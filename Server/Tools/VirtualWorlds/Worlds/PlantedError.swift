// SPDX-License-Identifier: Apache-2.0

/// A mistake that is made on purpose, so that it can be seen that a guarantee finds it. No world has one unless it is asked for.
package enum PlantedError: String, CaseIterable, Sendable {
    /// A restored store lacks the newest event of its copy: R2.
    case lossyRestore = "lossy-restore"
    /// An event that comes again is taken for a new one: R3.
    case forgottenEvents = "forgotten-events"
    /// The nodes do not hear each other's beats, and take each other's work: N1.
    case silentNodes = "silent-nodes"
    /// Each try of a message has an id of its own: W2.
    case changingIDs = "changing-ids"
    /// The endpoint's refusals count as delivered: W4.
    case ignoredRefusals = "ignored-refusals"
    /// What was bought never ends: P2.
    case endlessAccess = "endless-access"
    /// A link does not end: L10.
    case endlessLinks = "endless-links"
    /// A code with another letter: L7.
    case mistypedCodes = "mistyped-codes"
    /// The app's word about collection does not reach the SDK: C1.
    case unheardModes = "unheard-modes"
}

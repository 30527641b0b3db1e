// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// The install that a first open is answered from.
package struct OpenedInstall: Sendable {
    enum StoreOutcome: Hashable, Sendable {
        /// The report is on disk.
        case stored
        /// The store did not take the report, or not in time. The stored install was read.
        case unstored
        /// The install could not be read either: only the phone's report is known, and the caller is not authenticated.
        case unread
    }

    let install: Install
    /// Nil if the open did not ask for a link, or no link could be taken for it.
    var deferred: DeferredLinkAnswer?
    let standing: StoreOutcome
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A token that an open announced or brought, of which the store knows nothing yet: it was too slow, or has refused the open.
struct UnstoredToken: Hashable {
    /// Nil if the token was only announced.
    let hash: TokenHash?
    /// Why the phone had no token before.
    let earlierReason: UnavailableReason?
    /// By the clock of all nodes.
    let openedAtMs: Int64
    let holdEndsAtMs: Int64

    init(_ token: AdToken, of install: Install, openedAtMs: Int64, holdEndsAtMs: Int64) {
        hash = if case .value(let text) = token { TokenHash(of: text) } else { nil }
        earlierReason = install.tokenNone
        self.openedAtMs = openedAtMs
        self.holdEndsAtMs = holdEndsAtMs
    }

    /// The stored install has the token or its announcement.
    func isKnown(to install: Install) -> Bool {
        install.tokenComingUntilMs == holdEndsAtMs || hash != nil && install.exchange?.tokenHash == hash
    }

    /// False once the phone has said that no token comes.
    func isComing(to install: Install) -> Bool { install.tokenNone == earlierReason && !install.isTokenCalledOff(after: openedAtMs) }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Why names and spend could not be read.
package struct AppleAdsTrouble: Error, Hashable, Sendable, CustomStringConvertible {
    /// Stored, and a label of metrics.
    package enum Kind: String, CaseIterable, Sendable {
        /// The server has no key that it can sign with.
        case keyUnusable = "key_unusable"
        /// Apple gives no token: the key and the ids do not match, or the key was revoked.
        case invalidClient = "invalid_client"
        /// Apple takes back a token that it has just given.
        case refused
        /// The user of the API may not read this.
        case roleMissing = "role_missing"
        /// The user may read no ad account, or none of those that the file names.
        case noAccount = "no_account"
        /// Too many requests, again and again.
        case limited
        /// No answer.
        case unreachable
        /// 5xx.
        case failing
        /// An answer that this release does not understand.
        case unexpected
    }

    package static let longestDetail = 300

    package let kind: Kind
    /// What happened, with the status and Apple's own words; never a token.
    package let detail: String

    package init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = String(detail.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? " " : Character($0) }).cut(toBytes: Self.longestDetail)
    }

    package var description: String { detail }

    /// Of what was asked, and not of the user or of the way to Apple: another question may be answered.
    var isOfOneQuestion: Bool { kind == .roleMissing || kind == .unexpected }

    /// Nobody has to do anything.
    var mayPass: Bool {
        switch kind {
        case .limited, .unreachable, .failing: true
        case .keyUnusable, .invalidClient, .refused, .roleMissing, .noAccount, .unexpected: false
        }
    }
}

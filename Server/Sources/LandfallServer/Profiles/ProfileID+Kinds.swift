// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// There are two kinds of profiles, and their ids can never be equal. Answers carry profile ids, so an id must open nothing:
/// no install, whatever id it chose for itself, starts with a profile that the server made for somebody.
extension ProfileID {
    /// The profile that an install starts with.
    static func first(of install: InstallID) -> ProfileID { ProfileID("i_" + install.rawValue) }

    /// One that the server makes: after a log-out, and for another person on the same phone.
    static func fresh(nowMs: Int64) -> ProfileID { ProfileID("s_" + UUIDv7.make(nowMs: nowMs)) }
}

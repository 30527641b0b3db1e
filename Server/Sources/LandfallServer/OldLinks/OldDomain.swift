// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A vendor's domain whose links still reach the app, until a day. Browsers never come here with them: only the app asks.
struct OldDomain: Hashable, Sendable {
    /// In lower case.
    let host: String
    /// From this instant on its links lead nowhere.
    let untilMs: Int64
    /// Paths that lead somewhere without being on the list: the app knows them.
    var paths: [PathPattern] = []
}

// SPDX-License-Identifier: Apache-2.0
package import LandfallWire

/// A vendor's domain whose links still reach the app, until a day. Browsers never come here with them: only the app asks.
package struct OldDomain: Hashable, Sendable {
    /// In lower case.
    package let host: String
    /// From this instant on its links lead nowhere.
    package let untilMs: Int64
    /// Paths that lead somewhere without being on the list: the app knows them.
    package var paths: [PathPattern] = []
}

// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// A host that serves links and nothing else.
struct BrandDomain: Hashable, Sendable {
    /// In lower case.
    let host: String
    /// Paths that lead somewhere without being stored: the app knows them.
    var paths: [PathPattern] = []
}

// SPDX-License-Identifier: Apache-2.0
/// One app of the configuration. Every key in the store starts with it, so that one app's rows are never another's.
struct AppID: Hashable, Sendable, RawRepresentable, CustomStringConvertible {
    let rawValue: String
    init(rawValue: String) { self.rawValue = rawValue }
    init(_ rawValue: String) { self.rawValue = rawValue }
    var description: String { rawValue }
}

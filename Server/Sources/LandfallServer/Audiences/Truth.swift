// SPDX-License-Identifier: Apache-2.0
/// The answer of a condition while something is still pending: Kleene's three values.
enum Truth: Hashable, Sendable, CaseIterable {
    case no
    /// Depends on what is pending.
    case unknown
    case yes

    init(_ value: Bool) { self = value ? .yes : .no }

    static prefix func ! (value: Truth) -> Truth {
        switch value {
        case .no: .yes
        case .unknown: .unknown
        case .yes: .no
        }
    }
}

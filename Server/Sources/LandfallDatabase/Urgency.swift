// SPDX-License-Identifier: Apache-2.0

/// Who waits for a write. Work of people goes before work of machines.
public enum Urgency: String, Hashable, Sendable, CaseIterable {
    /// A phone or a visitor waits for the answer: first opens, clicks, Apple's answers.
    case interactive
    /// Nobody looks at the answer: events, imports, retention. Above a bound it is refused, see ``DatabaseError/busy``.
    case bulk
}

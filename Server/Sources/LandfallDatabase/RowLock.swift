// SPDX-License-Identifier: Apache-2.0

/// A row that a write reads before it changes it. Two writes that name the same row run one after the other, on every node.
///
/// The embedded engine has one writer, so it need not look at them.
public struct RowLock: Hashable, Sendable {
    public let table: String
    /// Columns of the key with their values, in the order of the key.
    public let key: [String: SQLValue]

    public init(_ table: String, _ key: [String: SQLValue]) {
        self.table = table
        self.key = key
    }
}

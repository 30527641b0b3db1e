// SPDX-License-Identifier: Apache-2.0

/// The ids of the last events of this launch: a repeated id means the same event.
struct SeenIDs: Sendable {
    static let most = 10

    /// How many are remembered; 0 or less: none.
    var limit = Self.most
    private var ids: [String] = []

    /// - Returns: false for an id that is remembered.
    mutating func isNew(_ id: String) -> Bool {
        guard !ids.contains(id) else { return false }
        ids = Array((ids + [id]).suffix(max(0, limit)))
        return true
    }
}

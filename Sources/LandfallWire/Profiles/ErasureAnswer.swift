// SPDX-License-Identifier: Apache-2.0
/// What an erasure deleted. If it is repeated, the answer has zeros.
public struct ErasureAnswer: Hashable, Sendable, Codable {
    /// The number of deleted profiles.
    public var profiles: Int64
    /// The number of deleted installs; each of them is refused with `profile_erased` for 35 days.
    public var installs: Int64
    /// Deleted rows by table.
    public var rows: [String: Int64]
    /// True if there is more than one call can erase: the rest is deleted soon. Absent otherwise.
    public var isGoingOn: Bool?

    public init(profiles: Int64 = 0, installs: Int64 = 0, rows: [String: Int64] = [:], isGoingOn: Bool? = nil) {
        self.profiles = profiles
        self.installs = installs
        self.rows = rows
        self.isGoingOn = isGoingOn
    }
}

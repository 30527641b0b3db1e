// SPDX-License-Identifier: Apache-2.0

/// The tapped link that attributed the user.
public struct AttributedLink: Hashable, Sendable, Codable {
    /// Host and path of a stored link, for example `links.example.com/beach`; nil for a long link.
    public var code: String?
    /// The value of the link's `lf_t`, `adj_t` or `adjust_t`.
    public var tracker: String?
    public var label: String?
    /// The time of the tap: Unix milliseconds, by the server's clock.
    public var clickedAtMilliseconds: Int64
    /// True if the tap brought the user back after an absence; false if it came before the first open.
    public var isReattribution: Bool

    public init(clickedAtMilliseconds: Int64, isReattribution: Bool = false) {
        self.clickedAtMilliseconds = clickedAtMilliseconds
        self.isReattribution = isReattribution
    }
}

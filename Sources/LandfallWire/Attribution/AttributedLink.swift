// SPDX-License-Identifier: Apache-2.0

/// Which link's tap it was, where a link says where the user came from.
public struct AttributedLink: Hashable, Sendable, Codable {
    /// Host and path of a stored link, for example `links.example.com/beach`; nil for a long link.
    public var code: String?
    /// What the link named as `lf_t`, `adj_t` or `adjust_t`.
    public var tracker: String?
    public var label: String?
    /// When it was tapped: Unix milliseconds, by the server's clock.
    public var clickedAtMilliseconds: Int64
    /// True where the tap brought the user back after a silence; false where it was before the first open.
    public var isReattribution: Bool

    public init(clickedAtMilliseconds: Int64, isReattribution: Bool = false) {
        self.clickedAtMilliseconds = clickedAtMilliseconds
        self.isReattribution = isReattribution
    }
}

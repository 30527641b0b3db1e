// SPDX-License-Identifier: Apache-2.0
/// Why a text is not accepted as a link.
public struct InvalidLink: Error, Hashable, Sendable, CustomStringConvertible {
    /// Stable words; new ones may appear.
    public struct Reason: WireIdentifier {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let empty = Reason("empty")
        /// Longer than ``LinkAddress/longest``.
        public static let tooLong = Reason("tooLong")
        public static let noScheme = Reason("noScheme")
        /// `javascript:`, `data:` and other schemes that run or contain content instead of leading somewhere.
        public static let forbiddenScheme = Reason("forbiddenScheme")
        /// A control character, white space, a backslash, or more combining marks in a row than ``CombiningMarks/mostInARow``.
        public static let forbiddenCharacter = Reason("forbiddenCharacter")
        /// A web host with characters other than `a-z`, `0-9`, `-` and `.`: it may only look like the app's host.
        public static let suspiciousHost = Reason("suspiciousHost")
        /// A web address with a user name or a password.
        public static let userInfo = Reason("userInfo")
        /// Percent-encoding that is not UTF-8, U+0000, or more combining marks in a row than ``CombiningMarks/mostInARow``.
        public static let invalidEncoding = Reason("invalidEncoding")
        /// `.` or `..` as a segment of the path.
        public static let dotSegment = Reason("dotSegment")
        /// A link, but not on any of the app's hosts and schemes.
        public static let foreign = Reason("foreign")
    }

    public let reason: Reason

    public init(_ reason: Reason) { self.reason = reason }

    public var description: String {
        switch reason {
        case .empty: "The link is empty. Pass the address as it was received."
        case .tooLong: "The link is longer than \(LinkAddress.longest) bytes. Shorten it."
        case .noScheme: "The link has no scheme. Write it in full, such as https://links.example.com/beach."
        case .forbiddenScheme: "Links of this scheme lead nowhere in an app. Use https or the app's own scheme."
        case .forbiddenCharacter: "The link holds a control character, white space or a backslash. Percent-encode it."
        case .suspiciousHost: "The link's host is not plain ASCII, so it may only look like yours. Write it in its ASCII form."
        case .userInfo: "The link holds a user name or a password. Remove it."
        case .invalidEncoding: "The link's percent-encoding is not UTF-8. Encode the text as UTF-8."
        case .dotSegment: "The link's path holds '.' or '..'. Write the path that is meant."
        case .foreign: "The link belongs to none of the app's hosts and schemes. Add its host or scheme if it should."
        default: "The link is not valid (\(reason))."
        }
    }
}

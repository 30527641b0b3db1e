// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension InstallProgress.Facts {
    /// The same without texts that may be about one person: campaigns and the like in the words of the phone or of a tapped address. Kept are
    /// the name of the source, Apple's ids, what the team's backend said, the stored link that brought the install, and values of closed sets.
    var withoutTexts: Self {
        let isSaidByServer = isUnverified != true && acquisition.first != AttributionSource.link.rawValue
        return Self(
            acquisition: acquisition.enumerated().map { $0 == 0 || isSaidByServer ? $1 : nil },
            market: zip(RollupDimensions.market.list, market).map { dimension, text in
                switch dimension {
                case .country: text.flatMap(Self.country)
                case .platform: text.flatMap(Self.platform)
                default: text
                }
            },
            origin: origin, isTest: isTest, isLate: isLate, shownDays: shownDays, firsts: firsts, seenDays: seenDays, isReinstall: isReinstall,
            link: link, isUnverified: isUnverified, appVersion: appVersion.flatMap(Self.version))
    }

    private static func country(_ text: String) -> String? {
        text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) } ? text : nil
    }

    private static func platform(_ text: String) -> String? {
        ["ios", "macos", "tvos", "watchos", "visionos"].contains { $0.utf8.elementsEqual(text.utf8) } ? text : nil
    }

    /// Up to four numbers of four digits, as 1.10.2: enough for an app's version, too little for words.
    private static func version(_ text: String) -> String? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count <= 4 && parts.allSatisfy { (1...4).contains($0.count) && $0.allSatisfy { (48...57).contains($0) } } ? text : nil
    }
}

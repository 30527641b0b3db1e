// SPDX-License-Identifier: Apache-2.0

/// The fragment of a link, in which some apps keep their route with its parameters: `#/route?tab=2`.
enum LinkFragment {
    /// Tracking parameters can be in a fragment too, even after a second `?`. All else stays as it is written.
    /// - Returns: nil if it had only tracking parameters.
    static func withoutTracking(_ fragment: String) -> String? {
        let bytes = fragment[...].utf8
        var kept: [UInt8] = []
        var isChanged = false, isBegun = false
        // The first `?` begins the parameters: it stays, even if the parameter behind it does not.
        var isOpen = false, opening: UInt8?
        var start = bytes.startIndex
        while true {
            let mark = start == bytes.startIndex ? nil : bytes[bytes.index(before: start)]
            let end = bytes[start...].firstIndex { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: "?") } ?? bytes.endIndex
            let piece = bytes[start..<end]
            // The first piece is a route, unless it has the form of a parameter.
            if LinkQueryItem.isTracking(written: piece.prefix { $0 != UInt8(ascii: "=") }),
                mark != nil || piece.contains(UInt8(ascii: "="))
            {
                isChanged = true
                if mark == UInt8(ascii: "?"), !isOpen { opening = mark }
            } else {
                if let mark = isBegun ? opening ?? mark : nil {
                    kept.append(mark)
                    isOpen = isOpen || mark == UInt8(ascii: "?")
                }
                kept += piece
                (opening, isBegun) = (nil, true)
            }
            guard end < bytes.endIndex else { break }
            start = bytes.index(after: end)
        }
        if !isChanged { return fragment }
        return isBegun ? String(decoding: kept, as: UTF8.self) : nil
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallReports

/// Numbers as the page of results prints them.
enum ResultsFigures {
    static func count(_ number: Int) -> String { Int64(number).inGroups }

    /// 4.73 %.
    static func percent(_ share: Double) -> String { decimal(share * 100, 2) + " %" }

    /// +16.7 %, with a real minus sign.
    static func lift(_ lift: Double) -> String { signed(lift * 100, 1) + " %" }

    static func signed(_ number: Double, _ decimals: Int) -> String {
        let text = decimal(abs(number), decimals)
        let isZero = !text.contains { ("1"..."9").contains($0) }
        return (isZero ? "±" : number < 0 ? "−" : "+") + text
    }

    static func p(_ p: Double) -> String { p < 0.0001 ? "p < 0.0001" : "p " + decimal(p, p < 0.01 ? 4 : 2) }

    /// Four significant digits, for money and for milliunits.
    static func mean(_ number: Double) -> String {
        abs(number) >= 1e9 ? decimal(number, 0) : abs(number) >= 1000 ? count(Int(number.rounded())) : decimal(number, abs(number) >= 10 ? 2 : 4)
    }

    static func decimal(_ number: Double, _ decimals: Int) -> String {
        abs(number) < 1e9 ? String(format: "%.\(decimals)f", number) : String(format: "%.3g", number)
    }

    /// Filled up on the right, or cut with an ellipsis.
    static func left(_ text: String, _ width: Int) -> String {
        text.count > width ? text.prefix(width - 1) + "…" : text.padded(to: width)
    }

    static func right(_ text: String, _ width: Int) -> String {
        text.padded(to: width, toTheRight: true)
    }
}

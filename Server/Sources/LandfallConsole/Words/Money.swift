// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// Money as people of a language write it.
extension Language {
    /// $1,234.50, ¥1,235, CHF 12.00: the symbol or the code stands before the digits, and a minus before both.
    /// - Parameters:
    ///   - milliunits: thousandths of the currency's main unit. Half of the last digit shown is rounded away from zero.
    ///   - currency: its code of ISO 4217.
    func money(_ milliunits: Int64, _ currency: String) -> String {
        let decimals = Self.decimals(of: currency)
        // Milliunits in the last digit shown, and such digits in a unit.
        let (step, scale): (UInt64, UInt64) = decimals == 0 ? (1_000, 1) : decimals == 2 ? (10, 100) : (1, 1_000)
        let shown = (milliunits.magnitude + step / 2) / step
        let rest = String(shown % scale)
        let digits = Int64(shown / scale).inGroups + (decimals == 0 ? "" : "." + String(repeating: "0", count: decimals - rest.count) + rest)
        let sign = milliunits < 0 && shown > 0 ? "−" : ""
        return sign + symbol(of: currency) + digits
    }

    /// Of a currency that has no minor unit none, of most two, of some three.
    private static func decimals(of currency: String) -> Int {
        switch currency {
        case "BIF", "CLP", "DJF", "GNF", "IDR", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF": 0
        case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
        default: 2
        }
    }

    /// A code is followed by a space that breaks no line.
    private func symbol(of currency: String) -> String {
        switch currency {
        case "USD": translate("$", context: "US dollar, before the digits")
        case "JPY": translate("¥", context: "Japanese yen, before the digits")
        case "CNY": translate("CN¥", context: "Chinese yuan, before the digits")
        case "AUD": translate("A$", context: "Australian dollar, before the digits")
        case "EUR": "€"
        case "GBP": "£"
        case "KRW": "₩"
        case "INR": "₹"
        case "ILS": "₪"
        case "VND": "₫"
        case "BRL": "R$"
        case "CAD": "CA$"
        case "HKD": "HK$"
        case "MXN": "MX$"
        case "NZD": "NZ$"
        case "TWD": "NT$"
        default: currency + "\u{A0}"
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallResults

/// Rates, lifts and probabilities, with as many digits as an experiment needs.
extension Language {
    /// A true minus sign, commas between thousands, and so many decimals.
    func decimal(_ value: Double, _ places: Int) -> String {
        guard value.isFinite, value.magnitude < 1_000_000_000 else { return "–" }
        let factor = (0..<places).reduce(1.0) { factor, _ in factor * 10 }
        let scaled = Int64((value.magnitude * factor).rounded()), whole = scaled / Int64(factor)
        let rest = String(scaled % Int64(factor))
        let decimals = places > 0 ? "." + String(repeating: "0", count: places - rest.count) + rest : ""
        return (value < 0 && scaled > 0 ? "−" : "") + count(whole) + decimals
    }

    /// With a sign; zero has ±.
    func signed(_ value: Double, _ places: Int) -> String {
        let text = decimal(value, places)
        guard text.contains(where: { ("1"..."9").contains($0) }) else { return text == "–" ? text : "±" + text }
        return value > 0 ? "+" + text : text
    }

    /// 4.73 %.
    func rate(_ share: Double) -> String { percent(decimal(share * 100, 2)) }

    /// +16.7 %.
    func lift(_ lift: Double) -> String { percent(signed(lift * 100, 1)) }

    /// +4.1 … +31.0 %.
    func lift(_ interval: Interval) -> String { signed(interval.lower * 100, 1) + " … " + lift(interval.upper) }

    func rate(_ interval: Interval) -> String { decimal(interval.lower * 100, 2) + " … " + rate(interval.upper) }

    func probability(_ p: Double) -> String { p < 0.0001 ? "p < 0.0001" : "p " + decimal(p, p < 0.01 ? 4 : 2) }
}

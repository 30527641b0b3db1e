// SPDX-License-Identifier: Apache-2.0

extension Int64 {
    /// With a comma between thousands, and a true minus: 12,345.
    package var inGroups: String {
        let digits = String(magnitude)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digit)
        }
        return (self < 0 ? "−" : "") + text
    }
}

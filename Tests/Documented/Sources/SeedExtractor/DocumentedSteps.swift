// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The lines around the sample: the delegate of step 3, the line that wires the observer, and the splash screen's call.
enum DocumentedSteps {
    /// The name that the document leaves open.
    static let placeholder = "<YourAdaptyDelegateImpl>"

    /// - Returns: three snippets, letter for letter but for the angle brackets of the placeholder.
    static func sections(of seed: String) throws(StepsNotFound) -> [[String]] {
        let lines = seed.components(separatedBy: "\n")
        guard let delegate = lines.firstIndex(where: { $0.hasPrefix("extension \(placeholder)") }),
            let delegateEnd = lines[delegate...].firstIndex(of: "}"),
            let wiring = lines[delegateEnd...].firstIndex(where: { $0.hasPrefix("Adapty.delegate = ") }),
            let call = lines[wiring...].firstIndex(of: "do {"),
            let callEnd = lines[call...].firstIndex(of: "}")
        else { throw StepsNotFound() }
        return [
            lines[delegate...delegateEnd].map { $0.replacingOccurrences(of: placeholder, with: "YourAdaptyDelegateImpl") },
            [lines[wiring]],
            Array(lines[call...callEnd]),
        ]
    }
}

struct StepsNotFound: Error, CustomStringConvertible {
    let description = """
        The seed has no steps: expected 'extension <YourAdaptyDelegateImpl>', 'Adapty.delegate = …' and 'do {', each to its end.
        """
}

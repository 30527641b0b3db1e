// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallRules

/// Prints text at once: the reader of a file or a pipe sees each line immediately.
///
/// The text may come from files and strangers: control characters, which a terminal would obey, are printed as `\u001b`.
enum Output {
    /// Results, for other programs.
    static func line(_ text: String) {
        write(text.withoutControl + "\n", to: .standardOutput)
    }

    /// Progress and remarks, for people.
    static func remark(_ text: String) {
        write(text.withoutControl + "\n", to: .standardError)
    }

    /// With one decimal, rounded: `8.1 %`.
    static func percent(_ ratio: Double) -> String {
        let tenths = Int64((ratio * 1000).rounded())
        return "\(tenths / 10).\(tenths % 10) %"
    }

    /// With two decimals, rounded: `0.56 s`.
    static func seconds(_ seconds: Double) -> String {
        let hundredths = Int64((seconds * 100).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) s"
    }

    /// Unix milliseconds, in UTC and whole seconds.
    static func time(_ milliseconds: Int64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }

    static func write(_ text: String, to file: FileHandle) {
        // If the reader has closed the pipe, the work still continues.
        try? file.write(contentsOf: Data(text.utf8))
    }
}

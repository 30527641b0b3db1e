// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Writes text at once: a process that ends within a world has written everything that came before.
enum Output {
    /// Results: for other programs.
    static func line(_ text: String) { write(text, to: .standardOutput) }

    /// Progress and remarks: for people.
    static func remark(_ text: String) { write(text, to: .standardError) }

    private static func write(_ text: String, to file: FileHandle) {
        // If the reader has gone, the work goes on.
        try? file.write(contentsOf: Data((text + "\n").utf8))
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where text goes, at once: a process that ends in a world has said everything before it.
enum Output {
    /// Results: what another program may read.
    static func line(_ text: String) { write(text, to: .standardOutput) }

    /// Progress and remarks: for people.
    static func remark(_ text: String) { write(text, to: .standardError) }

    private static func write(_ text: String, to file: FileHandle) {
        // The work goes on without a reader that went away.
        try? file.write(contentsOf: Data((text + "\n").utf8))
    }
}

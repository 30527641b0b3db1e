// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer

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

    static func write(_ text: String, to file: FileHandle) {
        // If the reader has closed the pipe, the work still continues.
        try? file.write(contentsOf: Data(text.utf8))
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer

/// Where text goes. Written at once: the reader of a file or a pipe sees each line immediately.
///
/// What is said may come from files and from strangers: control characters, which a terminal obeys, are written as `\u001b`.
enum Output {
    /// Results: what another program may read.
    static func line(_ text: String) {
        write(text.withoutControl + "\n", to: .standardOutput)
    }

    /// Progress and remarks: for people.
    static func remark(_ text: String) {
        write(text.withoutControl + "\n", to: .standardError)
    }

    static func write(_ text: String, to file: FileHandle) {
        // A reader that went away is no reason to fail: the work goes on.
        try? file.write(contentsOf: Data(text.utf8))
    }
}

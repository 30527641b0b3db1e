// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Where text goes. Written at once: whoever reads a file or a pipe sees each line when it is said.
enum Output {
    /// Results: what another program may read.
    static func line(_ text: String) {
        write(text + "\n", to: .standardOutput)
    }

    /// Progress and remarks: for people.
    static func remark(_ text: String) {
        write(text + "\n", to: .standardError)
    }

    static func write(_ text: String, to file: FileHandle) {
        // A reader that went away is no reason to fail: the work goes on.
        try? file.write(contentsOf: Data(text.utf8))
    }
}

// SPDX-License-Identifier: Apache-2.0

/// The limit on texts that comes with these names, in characters. The client's own is in bytes and never less than this.
enum DocumentedText {
    static let longest = 50

    /// - Throws: ``AdaptyError`` 3001.
    static func check(_ text: String?, of name: String) throws(AdaptyError) {
        guard let text, text.count > longest else { return }
        throw AdaptyError(.wrongParam, "'\(name)' has more than \(longest) characters. Shorten it.")
    }
}

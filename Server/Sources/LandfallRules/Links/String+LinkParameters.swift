// SPDX-License-Identifier: Apache-2.0

// By bytes: a `?` or `#` that is followed by a combining character is still one.
extension String {
    /// The link up to its fragment.
    package var withoutFragment: Substring { Substring(utf8.prefix { $0 != UInt8(ascii: "#") }) }

    /// The link with parameters behind its own and in front of its fragment.
    /// - Parameter parameters: percent-encoded; nil and an empty text add nothing.
    package func adding(parameters: String?) -> String {
        guard let parameters, !parameters.isEmpty else { return self }
        let base = withoutFragment
        let mark = base.utf8.firstIndex(of: UInt8(ascii: "?")).map { base.utf8.index(after: $0) == base.endIndex ? "" : "&" } ?? "?"
        return base + mark + parameters + self[base.endIndex...]
    }
}

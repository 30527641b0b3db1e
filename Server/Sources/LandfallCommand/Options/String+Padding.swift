// SPDX-License-Identifier: Apache-2.0

extension String {
    /// Filled up with spaces, behind the text or in front of it.
    func padded(to width: Int, toTheRight: Bool = false) -> String {
        let space = String(repeating: " ", count: Swift.max(0, width - count))
        return toTheRight ? space + self : self + space
    }
}

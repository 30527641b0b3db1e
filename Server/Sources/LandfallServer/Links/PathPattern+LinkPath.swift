// SPDX-License-Identifier: Apache-2.0
import LandfallWire

extension PathPattern {
    /// Without a slash at its end, as ``LinkPath`` writes paths.
    var normal: PathPattern {
        rawValue.utf8.count > 1 && rawValue.hasSuffix("/") ? PathPattern(String(rawValue.dropLast())) : self
    }

    /// Of a path that somebody wants for a link of their own.
    func matches(_ path: LinkPath) -> Bool { normal.matches(path.text) }
}

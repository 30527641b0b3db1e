// SPDX-License-Identifier: Apache-2.0

/// One system call of a traced process. A sync is at its end, every other call at its beginning: a call after a sync came after
/// the whole sync.
package struct SystemCall: Hashable, Sendable {
    package let name: String
    /// The file of the call's descriptor: a path, or `socket:[…]`.
    package let file: String

    package var isSync: Bool { name == "fsync" || name == "fdatasync" }
    package var isWrite: Bool { ["write", "writev", "pwrite64"].contains(name) }
    package var isSocket: Bool { file.hasPrefix("socket:") || file.hasPrefix("TCP:") }

    /// Lines are `PID name(FD</path>, …) = RESULT`; a call that another thread interrupts has two lines:
    /// `PID name(FD</path>, … <unfinished ...>` and `PID <... name resumed>) = RESULT`.
    package static func calls(in text: String) -> [SystemCall] {
        var unfinished: [Substring: SystemCall] = [:]
        return text.split(separator: "\n").compactMap { line in
            guard let space = line.firstIndex(of: " ") else { return nil }
            let thread = line[..<space], rest = line[space...].drop { $0 == " " }
            if rest.hasPrefix("<... ") { return unfinished.removeValue(forKey: thread) }
            guard let bracket = rest.firstIndex(of: "("), let open = rest.firstIndex(of: "<"),
                let close = rest.firstIndex(of: ">"), open < close
            else { return nil }
            let call = SystemCall(name: String(rest[..<bracket]), file: String(rest[rest.index(after: open)..<close]))
            guard call.isSync, rest.hasSuffix("<unfinished ...>") else { return call }
            unfinished[thread] = call
            return nil
        }
    }
}

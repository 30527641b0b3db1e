// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif
import Foundation

/// `landfall simulate --virtual`: a test tool of the checkout runs worlds in virtual time; no product contains it.
enum VirtualTime {
    static let tool = "landfall-virtual"

    /// Replaces this process by the tool, with the remaining arguments, if they ask for virtual time.
    /// - Throws: ``ToolMissing``.
    static func takeOver(_ arguments: [String]) throws {
        guard let rest = rest(of: arguments), let program = Bundle.main.executableURL else { return }
        let path = program.deletingLastPathComponent().appending(path: tool).path
        var words: [UnsafeMutablePointer<CChar>?] = ([path] + rest).map { strdup($0) } + [nil]
        execv(path, &words)
        throw ToolMissing(path: path, code: errno)
    }

    /// The arguments for the tool; nil if virtual time is not requested.
    static func rest(of arguments: [String]) -> [String]? {
        guard arguments.first == "simulate", arguments.contains("--virtual") else { return nil }
        return arguments.dropFirst().filter { $0 != "--virtual" }
    }
}

/// The tool beside this program cannot be run.
struct ToolMissing: Error, CustomStringConvertible {
    let path: String
    let code: Int32

    var description: String {
        """
        Virtual time is a test tool of the source tree, and \(path) cannot be run (errno \(code)). In a checkout, build it: \
        swift build --package-path Server -c release --product \(VirtualTime.tool)
        """
    }
}

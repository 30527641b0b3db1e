// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer
import LandfallWire

/// What this program was built from: the answer of `landfall --version`.
enum BuiltFrom {
    static var text: String {
        (["landfall \(LandfallVersion.current)", "commit: \(commit)", "dependencies:"] + dependencies.map { "  \($0)" })
            .joined(separator: "\n")
    }

    /// `script/release` writes the commit into this file while it builds, because the compiler does not know the commit.
    static var commit: String {
        String(decoding: PackageResources.commit_txt, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Name and version of each package that the package manager chose for this build, from its own file.
    static var dependencies: [String] {
        let resolved = try? WireCoding.decode(Resolved.self, from: Data(PackageResources.packages_json))
        return resolved?.pins.map { "\($0.identity) \($0.state.version ?? $0.state.revision)" } ?? []
    }

    private struct Resolved: Decodable {
        struct Pin: Decodable {
            struct State: Decodable {
                let revision: String
                /// Absent for a branch or a single revision.
                let version: String?
            }
            let identity: String
            let state: State
        }
        let pins: [Pin]
    }
}

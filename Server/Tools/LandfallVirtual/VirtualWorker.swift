// SPDX-License-Identifier: Apache-2.0
#if canImport(Glibc)
import Glibc

#else
import Darwin
#endif
import ArgumentParser
import Foundation
import VirtualWorlds

/// Runs some worlds in this process, one after the other.
struct VirtualWorker {
    static let hashing = "SWIFT_DETERMINISTIC_HASHING"

    let seed: UInt64
    let worlds: Int
    let setting: VirtualSetting

    /// Writes each world to standard output as one line of JSON.
    func report() throws {
        let encoder = JSONEncoder()
        try live { world in
            guard let line = try? encoder.encode(world) else { return false }
            Output.line(String(decoding: line, as: UTF8.self))
            return true
        }
    }

    /// - Parameter each: false ends the run.
    func live(keepsTrace: Bool = false, each: (VirtualRun.World) -> Bool) throws {
        try Self.beginAgainWithFixedHashing()
        try setting.run().run(from: seed, count: worlds, keepsTrace: keepsTrace, each: each)
    }

    /// The order of a dictionary depends on its address in memory, unless this variable is set when the process begins.
    private static func beginAgainWithFixedHashing() throws {
        guard getenv(hashing) == nil, let path = Bundle.main.executablePath else { return }
        setenv(hashing, "1", 1)
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) } + [nil]
        execv(path, &arguments)
        throw ValidationError("The tool cannot start itself again at \(path) (errno \(errno)). Set \(hashing)=1 and repeat.")
    }
}

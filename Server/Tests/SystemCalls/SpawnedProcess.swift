// SPDX-License-Identifier: Apache-2.0
package import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A child process, started by `posix_spawn` and awaited by a thread of its own.
///
/// Foundation's `Process` watches all children through sockets on one run loop. These tests start many children from many
/// threads, and about one run of thirty crashed there.
package final class SpawnedProcess: Sendable {
    package let id: Int32
    /// What it writes to standard output; both end with it.
    package let output: FileHandle
    package let errors: FileHandle
    /// One start at a time: a pipe of another child that has just been made would stay open in this one.
    private static let starts = Mutex(())
    /// Nil while it runs.
    private let status = Mutex<Int32?>(nil)

    /// - Parameters:
    ///   - command: path of the program, then its arguments.
    ///   - input: what it reads; nil for what this process reads.
    ///   - onEnd: called once, after the end.
    package init(
        _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment, input: FileHandle? = nil,
        onEnd: @escaping @Sendable () -> Void = {}
    ) throws {
        (id, output, errors) = try Self.starts.withLock { _ in
            let (output, errors) = (Pipe(), Pipe())
            let id = try Self.start(
                command, environment, input?.fileDescriptor, output.fileHandleForWriting.fileDescriptor,
                errors.fileHandleForWriting.fileDescriptor)
            // The child has the only writing ends.
            try output.fileHandleForWriting.close()
            try errors.fileHandleForWriting.close()
            return (id, output.fileHandleForReading, errors.fileHandleForReading)
        }
        Thread.detachNewThread { [self] in
            var status: Int32 = 0
            while waitpid(id, &status, 0) == -1, errno == EINTR {}
            // The exit status, or the signal that ended it.
            self.status.withLock { [status] in $0 = status & 0x7F == 0 ? status >> 8 & 0xFF : status & 0x7F }
            onEnd()
        }
    }

    package var isRunning: Bool { status.withLock { $0 == nil } }
    /// The exit status, or the signal that ended it; -1 while it runs.
    package var ending: Int32 { status.withLock { $0 ?? -1 } }

    /// Nothing happens where it has ended: its number may be another's by now.
    package func signal(_ signal: Int32) { status.withLock { if $0 == nil { _ = kill(id, signal) } } }

    /// The child gets standard input and these descriptors, and no others.
    private static func start(
        _ command: [String], _ environment: [String: String], _ input: Int32?, _ output: Int32, _ errors: Int32
    ) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
        #else
        var actions = posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
        posix_spawn_file_actions_adddup2(&actions, output, 1)
        posix_spawn_file_actions_adddup2(&actions, errors, 2)
        // A thread of a pool blocks signals, and a child inherits that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETPGROUP)
        #if canImport(Darwin)
        posix_spawn_file_actions_addinherit_np(&actions, 0)
        flags |= Int32(POSIX_SPAWN_CLOEXEC_DEFAULT)
        #else
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            if let open = Int32(name), open > 2 { posix_spawn_file_actions_addclose(&actions, open) }
        }
        #endif
        posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

        var arguments = command.map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { for text in arguments + variables { free(text) } }
        var id: pid_t = 0
        let failure = posix_spawn(&id, command[0], &actions, &attributes, &arguments, &variables)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
        return id
    }
}

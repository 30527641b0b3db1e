// SPDX-License-Identifier: Apache-2.0
internal import Foundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Standard error, written without crashing or blocking: `FileHandle` raises an exception if the other end is closed, and a
/// plain write(2) ends the process by SIGPIPE, or blocks until a full pipe is read.
enum StandardError {
    /// Longer than any line of the SDK; a pipe that is ready for writing takes this much at once.
    private static let mostBytes = 2_048

    static func write(_ text: String, to descriptor: Int32 = STDERR_FILENO) {
        var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&readiness, 1, 0) == 1, readiness.revents & Int16(POLLOUT) != 0, readiness.revents & Int16(POLLERR) == 0
        else { return }
        let bytes = Array(text.utf8.prefix(mostBytes))
        withoutPipeSignal { bytes.withUnsafeBytes { _ = systemWrite(descriptor, $0) } }
    }

    /// The reader may close the pipe between the check and the write: that raises a signal on this thread, which is removed
    /// here.
    private static func withoutPipeSignal(_ body: () -> Void) {
        var pipeSignal = sigset_t(), before = sigset_t(), pending = sigset_t()
        sigemptyset(&pipeSignal)
        sigaddset(&pipeSignal, SIGPIPE)
        sigpending(&pending)
        let wasPending = sigismember(&pending, SIGPIPE) == 1
        guard pthread_sigmask(SIG_BLOCK, &pipeSignal, &before) == 0 else { return }
        body()
        sigpending(&pending)
        if !wasPending, sigismember(&pending, SIGPIPE) == 1 {
            var taken: Int32 = 0
            sigwait(&pipeSignal, &taken)
        }
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}

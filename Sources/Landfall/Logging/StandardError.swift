// SPDX-License-Identifier: Apache-2.0
internal import Foundation

#if canImport(Darwin)
internal import Darwin
#elseif canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#endif

/// Standard error, written without a way to crash or to wait: `FileHandle` raises where the other end is gone, and a plain
/// write(2) then ends the process by SIGPIPE, or waits for as long as a full pipe is not read.
enum StandardError {
    /// More than any line of the SDK; a pipe that takes anything at all takes so much at once.
    private static let mostBytes = 2_048

    static func write(_ text: String, to descriptor: Int32 = STDERR_FILENO) {
        var readiness = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&readiness, 1, 0) == 1, readiness.revents & Int16(POLLOUT) != 0, readiness.revents & Int16(POLLERR) == 0
        else { return }
        let bytes = Array(text.utf8.prefix(mostBytes))
        withoutPipeSignal { bytes.withUnsafeBytes { _ = systemWrite(descriptor, $0) } }
    }

    /// The reader may go between the look and the write: the signal of that is this thread's, and is taken back.
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

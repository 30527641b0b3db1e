// SPDX-License-Identifier: Apache-2.0
public import Landfall

/// A platform that says what the test says, in that order; what is said before a client listens waits for it.
/// For one client. Callable from any thread.
public final class ScriptedPlatform: PlatformSignals {
    private let stream: AsyncStream<PlatformSignal>
    private let voice: AsyncStream<PlatformSignal>.Continuation
    private let isAbandoned = Watched(false)

    /// A platform that has said nothing yet.
    public init() {
        (stream, voice) = AsyncStream.makeStream()
        voice.onTermination = { [isAbandoned] _ in isAbandoned.withLock { $0 = true } }
    }

    /// Says this to the client, after all that was said before. Returns at once.
    public func say(_ signal: PlatformSignal) { voice.yield(signal) }

    /// Returns once the client has stopped listening, or the calling task is cancelled.
    public func waitUntilAbandoned() async { await isAbandoned.wait { $0 } }

    /// What the client listens to. One listener.
    public func signals() -> AsyncStream<PlatformSignal> { stream }
}

// SPDX-License-Identifier: Apache-2.0
public import Landfall

/// A platform whose signals come from the test, in order; signals before a client listens are kept for it. For one client.
/// Callable from any thread.
public final class ScriptedPlatform: PlatformSignals {
    private let stream: AsyncStream<PlatformSignal>
    private let voice: AsyncStream<PlatformSignal>.Continuation
    private let isAbandoned = Watched(false)

    /// A platform without any signal so far.
    public init() {
        (stream, voice) = AsyncStream.makeStream()
        voice.onTermination = { [isAbandoned] _ in isAbandoned.withLock { $0 = true } }
    }

    /// Sends this signal to the client, after all earlier ones. Returns at once.
    public func say(_ signal: PlatformSignal) { voice.yield(signal) }

    /// Returns once the client has stopped listening, or the calling task is cancelled.
    public func waitUntilAbandoned() async { await isAbandoned.wait { $0 } }

    /// The signals for the client. One listener.
    public func signals() -> AsyncStream<PlatformSignal> { stream }
}

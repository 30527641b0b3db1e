// SPDX-License-Identifier: Apache-2.0
public import Foundation
public import Landfall
internal import LandfallWire

/// The body of a scripted answer, written by the test while the client reads it.
///
/// Everything that was sent is kept: a later reader gets it from the beginning. Callable from any thread.
public final class ScriptedBody: Sendable {
    private struct State: Sendable {
        var chunks: [Data] = []
        var end: Result<Void, any Error>?
        var lastID = 0
        var readers: [Int: AsyncThrowingStream<Data, any Error>.Continuation] = [:]
        var readersEver = 0
    }

    private let state = Watched(State())
    /// Keeps the bytes in order for every reader. Yielding happens under this lock and never under the other one, because a
    /// reader's termination handler takes that one while its task is being cancelled.
    private let sending = NSLock()

    /// A body that is still empty.
    public init() {}

    /// How many exchanges read this body now. One that ended or was abandoned no longer counts.
    public var readerCount: Int { state.withLock { $0.readers.count } }

    /// Sends some bytes; does nothing after the end.
    public func send(_ data: Data) {
        sending.withLock {
            let readers = state.withLock { state in
                if state.end == nil { state.chunks.append(data) }
                return state.end == nil ? Array(state.readers.values) : []
            }
            for reader in readers { reader.yield(data) }
        }
    }

    /// Sends one line of text and its line break.
    public func send(line: String) { send(Data((line + "\n").utf8)) }

    /// Sends one value as a line of compact JSON, as the first-open stream does.
    public func send(_ value: some Encodable) throws { send(try WireCoding.encode(value) + Data("\n".utf8)) }

    /// Ends the body normally.
    public func finish() { end(.success(())) }

    /// Breaks the connection.
    public func fail(_ error: any Error = TransportError(.connectionFailed, detail: "Scripted reset.")) { end(.failure(error)) }

    /// Returns once an exchange has begun to read this body, or the calling task is cancelled.
    public func waitForReader() async { await state.wait { $0.readersEver > 0 } }

    /// Returns once every exchange that read this body has ended, or the calling task is cancelled.
    public func waitUntilAbandoned() async { await state.wait { $0.readersEver > 0 && $0.readers.isEmpty } }

    private func end(_ end: Result<Void, any Error>) {
        let readers = sending.withLock {
            state.withLock { state in
                if state.end == nil { state.end = end }
                return state.readers
            }
        }
        // Outside the locks: finishing calls the reader's termination handler, which takes one.
        for reader in readers.values { reader.finish(end) }
    }

    func stream(onEnd: @escaping @Sendable () -> Void) -> AsyncThrowingStream<Data, any Error> {
        let (stream, reader) = AsyncThrowingStream<Data, any Error>.makeStream()
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        reader.onTermination = { [weak self] _ in
            self?.state.withLock { $0.readers[id] = nil }
            onEnd()
        }
        let end = sending.withLock {
            let (chunks, end) = state.withLock { state in
                state.readersEver += 1
                state.readers[id] = reader
                return (state.chunks, state.end)
            }
            for chunk in chunks { reader.yield(chunk) }
            return end
        }
        if let end { reader.finish(end) }
        return stream
    }
}

extension AsyncThrowingStream<Data, any Error>.Continuation {
    fileprivate func finish(_ end: Result<Void, any Error>) {
        switch end {
        case .success: finish()
        case .failure(let error): finish(throwing: error)
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

/// The links of the inbox, in the order in which they were received, each once.
///
/// A link leaves the inbox only while a listener waits for the next one, so nothing is lost when a listener ends. The sequence
/// ends with ``LandfallClient/shutdown()`` or when the listening task is cancelled.
public struct ReceivedLinks: AsyncSequence, Sendable {
    public typealias Element = ReceivedLink

    let launch: Launch
    let scene: SceneID?

    public func makeAsyncIterator() -> Iterator { Iterator(launch: launch, scene: scene) }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let launch: Launch
        let scene: SceneID?

        public mutating func next() async -> ReceivedLink? { await launch.nextLink(for: scene) }
    }
}

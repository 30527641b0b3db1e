// SPDX-License-Identifier: Apache-2.0

/// Those who listen to profiles, and the profile that they had last.
struct ProfileListeners: Sendable {
    private var streams: [Int: AsyncStream<Profile>.Continuation] = [:]
    private var lastYielded: Profile?
    /// The state that was compared last. A profile is made only of another one, because making it costs more than comparing.
    private var published: ProfileState?

    var isEmpty: Bool { streams.isEmpty }

    mutating func add(_ id: Int, _ listener: AsyncStream<Profile>.Continuation) { streams[id] = listener }

    mutating func remove(_ id: Int) { streams[id] = nil }

    mutating func takeAll() -> [AsyncStream<Profile>.Continuation] {
        defer { streams = [:] }
        return Array(streams.values)
    }

    /// Another installation begins: its first profile is news.
    mutating func takeOver(from other: ProfileListeners) { streams = other.streams }

    /// Yielding under the lock keeps the order the same for every listener; no listener's code runs here.
    mutating func publish(_ state: ProfileState) {
        guard state != published else { return }
        published = state
        guard let profile = state.profile, profile != lastYielded else { return }
        lastYielded = profile
        for listener in streams.values { listener.yield(profile) }
    }
}

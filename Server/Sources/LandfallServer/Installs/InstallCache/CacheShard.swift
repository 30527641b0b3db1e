// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A part of ``InstallCache`` with its own lock.
final class CacheShard: Sendable {
    fileprivate struct Place {
        let key: InstallKey
        let known: KnownInstall
        let ticket: UInt64
        let weight: Int
        /// Whether it was read since the clock hand last passed.
        var isAsked = false
    }

    fileprivate struct State {
        var places: [Place] = []
        var indices: [InstallKey: Int] = [:]
        var hand = 0
        var bytes = 0
        var hits = 0
        var misses = 0
    }

    private let state = Mutex(State())
    private let mostInstalls: Int
    private let mostBytes: Int

    init(mostInstalls: Int, mostBytes: Int) {
        self.mostInstalls = mostInstalls
        self.mostBytes = mostBytes
    }

    /// - Parameter isValid: false for a value that has changed since its ticket.
    func find(_ key: InstallKey, _ isValid: (KnownInstall, _ ticket: UInt64) -> Bool) -> KnownInstall? {
        state.withLock { state in
            guard let index = state.indices[key], isValid(state.places[index].known, state.places[index].ticket) else {
                state.misses += 1
                return nil
            }
            state.places[index].isAsked = true
            state.hits += 1
            return state.places[index].known
        }
    }

    func keep(_ known: KnownInstall, at key: InstallKey, _ ticket: UInt64) {
        let place = Place(key: key, known: known, ticket: ticket, weight: known.weight)
        guard place.weight <= mostBytes else { return }
        state.withLock { state in
            if let index = state.indices[key] {
                guard state.places[index].ticket <= ticket else { return }
                state.remove(at: index)
            }
            while state.places.count >= mostInstalls || state.bytes + place.weight > mostBytes { state.makeRoom() }
            state.indices[key] = state.places.count
            state.places.append(place)
            state.bytes += place.weight
        }
    }

    var counts: InstallCache.Counts {
        state.withLock { state in
            .init(hits: state.hits, misses: state.misses, installs: state.places.count, bytes: state.bytes)
        }
    }
}

extension CacheShard.State {
    /// Evicts the next entry that was not read since the clock hand last passed. The hand clears the mark of each entry that it
    /// passes, so it goes round once at most.
    fileprivate mutating func makeRoom() {
        while true {
            if hand >= places.count { hand = 0 }
            guard places[hand].isAsked else { return remove(at: hand) }
            places[hand].isAsked = false
            hand += 1
        }
    }

    /// Moves the last entry into the gap.
    fileprivate mutating func remove(at index: Int) {
        bytes -= places[index].weight
        indices[places[index].key] = nil
        let last = places.removeLast()
        guard index < places.count else { return }
        places[index] = last
        indices[last.key] = index
    }
}

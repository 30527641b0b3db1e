// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Synchronization

/// Changes of installs and profiles in the order in which they were said, each with a number; and for each install and profile
/// the number of its latest. No lock: a look is two loads.
///
/// Many share one place. Who is told of a change that is somebody else's reads once more, and that is all.
///
/// Unchecked, because the compiler does not look through a pointer: what is there are atomics, for as long as this lives.
final class ChangeNumbers: @unchecked Sendable {
    private static let places = 65_536

    private let latest: UnsafeMutablePointer<Atomic<UInt64>>
    private let newest = Atomic<UInt64>(0)
    /// Nothing that was read before this one counts.
    private let all = Atomic<UInt64>(0)

    init() {
        // Zeros are what each begins with, and the system makes them where they are touched first: a node that lives for the
        // moment of a test has few installs.
        guard let zeros = calloc(Self.places, MemoryLayout<Atomic<UInt64>>.stride) else { preconditionFailure("No memory is left.") }
        latest = zeros.bindMemory(to: Atomic<UInt64>.self, capacity: Self.places)
    }

    deinit { free(latest) }

    /// How many have been said.
    var count: UInt64 { newest.load(ordering: .acquiring) }

    /// The number of a change that is on disk.
    func next() -> UInt64 { newest.add(1, ordering: .acquiringAndReleasing).newValue }

    func change(_ subject: some Hashable, _ number: UInt64) { place(of: subject).pointee.max(number, ordering: .acquiringAndReleasing) }

    func changeAll(_ number: UInt64) { all.max(number, ordering: .acquiringAndReleasing) }

    /// - Parameter ticket: ``count`` before the reading.
    func isChanged(_ subject: some Hashable, since ticket: UInt64) -> Bool {
        place(of: subject).pointee.load(ordering: .acquiring) > ticket || all.load(ordering: .acquiring) > ticket
    }

    private func place(of subject: some Hashable) -> UnsafeMutablePointer<Atomic<UInt64>> {
        latest + Int(UInt(bitPattern: subject.hashValue) % UInt(Self.places))
    }
}

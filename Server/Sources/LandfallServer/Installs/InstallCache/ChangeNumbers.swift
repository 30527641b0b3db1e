// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Synchronization

/// Numbers the changes of installs and profiles in the order in which they were reported, and keeps the number of the latest
/// change of each install and profile. No lock: a lookup is two atomic loads.
///
/// Several subjects share one place. A collision costs one unnecessary read and nothing else.
///
/// Unchecked, because the compiler cannot see through a pointer: it points to atomics that live as long as this object.
final class ChangeNumbers: @unchecked Sendable {
    private static let places = 65_536

    private let latest: UnsafeMutablePointer<Atomic<UInt64>>
    private let newest = Atomic<UInt64>(0)
    /// Every value that was read before this change is invalid.
    private let all = Atomic<UInt64>(0)

    init() {
        // `calloc` returns zeros, which every counter starts with. The system provides the memory when it is first touched, so
        // the short-lived node of a test uses little of it.
        guard let zeros = calloc(Self.places, MemoryLayout<Atomic<UInt64>>.stride) else { preconditionFailure("No memory is left.") }
        latest = zeros.bindMemory(to: Atomic<UInt64>.self, capacity: Self.places)
    }

    deinit { free(latest) }

    /// How many changes were reported.
    var count: UInt64 { newest.load(ordering: .acquiring) }

    /// The number of a change that is on disk.
    func next() -> UInt64 { newest.add(1, ordering: .acquiringAndReleasing).newValue }

    func change(_ subject: some Hashable, _ number: UInt64) { place(of: subject).pointee.max(number, ordering: .acquiringAndReleasing) }

    func changeAll(_ number: UInt64) { all.max(number, ordering: .acquiringAndReleasing) }

    /// - Parameter ticket: ``count`` before the read.
    func isChanged(_ subject: some Hashable, since ticket: UInt64) -> Bool {
        place(of: subject).pointee.load(ordering: .acquiring) > ticket || all.load(ordering: .acquiring) > ticket
    }

    private func place(of subject: some Hashable) -> UnsafeMutablePointer<Atomic<UInt64>> {
        latest + Int(UInt(bitPattern: subject.hashValue) % UInt(Self.places))
    }
}

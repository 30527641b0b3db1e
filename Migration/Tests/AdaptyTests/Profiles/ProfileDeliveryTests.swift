// SPDX-License-Identifier: Apache-2.0
@testable import Adapty
import Foundation
import Landfall
import Testing

@Suite("Profiles reach the delegate", .timeLimit(.minutes(1)))
struct ProfileDeliveryTests {
    private let delivery = ProfileDelivery()
    private let listener = Listener()
    private let profiles = AsyncStream.makeStream(of: Profile.self)

    @Test("Each change arrives, in order, on the main thread")
    func order() async {
        delivery.setDelegate(listener, on: .main)
        profiles.continuation.yield(.ada(version: 1))
        profiles.continuation.yield(.ada(version: 2, sources: [.appleAds]))
        profiles.continuation.finish()

        await delivery.follow(profiles.stream, on: .main)

        #expect(listener.heard.map(\.appliedAttributionSources) == [[], [.appleAds]])
    }

    @Test("A delegate set late gets the current profile without waiting for a change")
    func lateDelegate() async {
        profiles.continuation.yield(.ada(version: 1, sources: [.appleAds]))
        profiles.continuation.finish()
        await delivery.follow(profiles.stream, on: .main)

        delivery.setDelegate(listener, on: .main)

        #expect(await listener.next().appliedAttributionSources == [.appleAds])
    }

    @Test("Another delegate gets the profile too")
    func anotherDelegate() async {
        delivery.setDelegate(listener, on: .main)
        profiles.continuation.yield(.ada(version: 1))
        profiles.continuation.finish()
        await delivery.follow(profiles.stream, on: .main)
        let other = Listener()

        delivery.setDelegate(other, on: .main)

        #expect(await other.next().profileId == "ada")
    }

    @Test("Access that opens, and access that ends, are changes")
    func access() async {
        delivery.setDelegate(listener, on: .main)
        profiles.continuation.yield(.ada(version: 1))
        for isActive in [true, false] {
            profiles.continuation.yield(.ada(version: 2, access: ["premium": Access(isActive: isActive, state: .active)]))
        }
        profiles.continuation.finish()

        await delivery.follow(profiles.stream, on: .main)

        #expect(listener.heard.map { $0.accessLevels["premium"]?.isActive } == [nil, true, false])
    }

    @Test("A change that these names cannot show is not reported")
    func nothingNew() async {
        delivery.setDelegate(listener, on: .main)
        profiles.continuation.yield(.ada(version: 1))
        profiles.continuation.yield(.ada(version: 2))
        profiles.continuation.finish()

        await delivery.follow(profiles.stream, on: .main)

        #expect(listener.heard.count == 1)
    }

    @Test("A delegate is held strongly, until nil is set")
    func strong() async {
        weak var observer: Listener?
        autoreleased {
            let made = Listener()
            observer = made
            delivery.setDelegate(made, on: .main)
        }
        profiles.continuation.yield(.ada(version: 1))
        profiles.continuation.finish()
        await delivery.follow(profiles.stream, on: .main)
        #expect(observer?.heard.count == 1)

        delivery.setDelegate(nil, on: .main)

        #expect(observer == nil)
        #expect(delivery.delegate == nil)
    }

    @Test("The delegate is called on the queue that the app names")
    func ownQueue() async {
        let queue = DispatchQueue(label: "com.example.callbacks")
        let listener = QueueListener(queue)
        delivery.setDelegate(listener, on: queue)
        profiles.continuation.yield(.ada(version: 1))
        profiles.continuation.finish()

        await delivery.follow(profiles.stream, on: queue)

        #expect(listener.count == 1)
    }
}

private func autoreleased(_ body: () -> Void) { body() }

/// Insists on its queue.
///
/// `@unchecked Sendable`: `count` changes on `queue` alone, and is read once that is done.
private final class QueueListener: AdaptyDelegate, @unchecked Sendable {
    private let queue: DispatchQueue
    private(set) var count = 0
    init(_ queue: DispatchQueue) { self.queue = queue }

    func didLoadLatestProfile(_ profile: AdaptyProfile) {
        dispatchPrecondition(condition: .onQueue(queue))
        count += 1
    }
}

/// Keeps the delivered profiles; a test can wait for the next one.
///
/// `@unchecked Sendable`: `lock` guards `profiles`.
private final class Listener: AdaptyDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var profiles: [AdaptyProfile] = []
    private let arrivals = AsyncStream.makeStream(of: AdaptyProfile.self)

    var heard: [AdaptyProfile] { lock.withLock { profiles } }

    func didLoadLatestProfile(_ profile: AdaptyProfile) {
        // On Linux the main actor's thread need not be the process's first, so its queue is what can be checked.
        MainActor.preconditionIsolated("a delegate is called on the main thread")
        lock.withLock { profiles.append(profile) }
        arrivals.continuation.yield(profile)
    }

    func next() async -> AdaptyProfile {
        for await profile in arrivals.stream { return profile }
        fatalError("the stream of a listener never ends")
    }
}

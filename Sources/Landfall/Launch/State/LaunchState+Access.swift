// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import LandfallWire

/// What the person may use at one moment, and when the next part of it ends by the server's time.
struct OpenAccess: Hashable, Sendable {
    var levels: [String: Access] = [:]
    var subscriptions: [Profile.Subscription] = []
    var nextEnd: Int64?
}

extension LaunchState {
    /// How long before an end the server is asked for the next one: it often knows a renewal a day ahead.
    private static let foresight: Duration = .seconds(60)

    /// By a profile of the server. Its word counts until the ends that it named. What the store on the phone lists counts too, until
    /// the server has spoken of it. With collection off the store alone counts: the server does not know what it sells.
    func access(by wire: WireProfile, _ now: Duration, _ date: Date) -> OpenAccess {
        let isOff = collection == .off, products = productsOfLevels(wire)
        let listed = products.isEmpty ? [] : purchases.entitlements.filter { isOff || !isAnswered($0, by: wire) }
        let said = isOff ? [:] : wire.accessLevels ?? [:]
        let periods = wire.subscriptions ?? []
        guard !listed.isEmpty || !said.isEmpty || !periods.isEmpty else { return OpenAccess() }
        // Without a server the time is the calendar's, and not earlier than the latest signature of the store.
        let time = profileState.clock?.time(now) ?? listed.map(\.signed).reduce(date.unixMilliseconds, max)
        let union = AccessUnion(said: said, listed: listed, products: products, time: time)
        let ends = periods.compactMap { $0.end(after: profileState.saidAt ?? .min) }
        return OpenAccess(
            levels: union.levels,
            subscriptions: periods.map { Profile.Subscription($0.ended(at: time, said: profileState.saidAt ?? .min)) },
            nextEnd: ([union.nextEnd] + ends.filter { $0 > time }).compactMap(\.self).min())
    }

    /// A profile of the server as it is at that time.
    func profile(_ wire: WireProfile, _ attribution: LandfallWire.Attribution, _ now: Duration, _ date: Date) -> Profile {
        Profile(wire, attribution: attribution, access: access(by: wire, max(now, latestNow), date))
    }

    mutating func openAccess(_ at: Instant) {
        profileState.access = profileState.wire.map { access(by: $0, at.now, at.date) } ?? OpenAccess()
    }

    /// With the server's time, for the next launch.
    func stored(_ now: Duration, _ date: Date) -> StoredProfileState {
        var stored = stored
        stored.clock = profileState.clock?.stored(now, date)
        return stored
    }

    /// By the configuration, and by what the server said last.
    private func productsOfLevels(_ wire: WireProfile?) -> [String: Set<String>] {
        var products = accessProducts
        for (level, access) in wire?.accessLevels ?? [:] {
            if let product = access.productId { products[level, default: []].insert(product) }
        }
        return products
    }

    /// The server has had this signature, or its later word is about the same purchase: a refund may have come to it alone.
    private func isAnswered(_ entitlement: Entitlement, by wire: WireProfile) -> Bool {
        if purchases.isSettled(entitlement) { return true }
        return profileState.saidAt.map { $0 >= entitlement.signed } == true && wire.speaks(of: entitlement)
    }

    /// What the store lists may open something.
    var isListingUseful: Bool { !productsOfLevels(profileState.wire).isEmpty }

    /// When the next end comes, on the launch's clock.
    func accessEndsAt(_ now: Duration, _ date: Date) -> Duration? {
        guard let end = profileState.access.nextEnd else { return nil }
        let clock = profileState.clock ?? ServerClock(said: date.unixMilliseconds, heardAt: now)
        return clock.reaches(end, now)
    }

    /// From when the server has to be asked whether access goes on, on the launch's clock; nil if it has said all that will be.
    func asksForAccessFrom(_ now: Duration) -> Duration? {
        guard collection != .off, let clock = profileState.clock else { return nil }
        let ends = profileState.wire?.accessLevels?.values.lazy.filter(\.isActive).compactMap(\.endsAtMilliseconds)
        guard let end = ends?.min() else { return nil }
        return end <= clock.time(now) ? .zero : max(.zero, clock.reaches(end, now) - Self.foresight)
    }
}

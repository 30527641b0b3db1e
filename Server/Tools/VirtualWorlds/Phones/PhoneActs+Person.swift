// SPDX-License-Identifier: Apache-2.0
import Landfall
import Synchronization

/// Who holds the phone.
extension PhoneLaunch {
    /// For this time after an attempt to change the person, other requests may have arrived before the change or after it.
    private static let unrest: Duration = .seconds(30)

    var isPersonChanging: Bool {
        phone.promise { $0.personChangedAt }.map { clock.elapsed - $0 < Self.unrest } ?? false
    }

    func changePerson(at offset: Duration, _ dice: Dice, _ trace: VirtualTrace) {
        let customer = dice.happens(0.6) ? "customer-\(dice.number(1...3))" : nil
        at(offset) { [self] in
            // If two changes are under way at the same time, either may be the later one.
            let isOnlyOne = !isPersonChanging, asked = clock.elapsed
            begin()
            do {
                let profile: Profile
                if let customer {
                    trace.say("\(name): is identified as \(customer)")
                    profile = try await client.identify(customer)
                } else {
                    trace.say("\(name): logs out")
                    profile = try await client.logOut()
                }
                guard !record.withLock(\.isKilled) else { return }
                trace.say("\(name): is \(profile.customerID ?? "nobody") now")
                if profile.customerID != customer {
                    trace.broke("D9", "\(name): \(customer ?? "nobody") is \(profile.customerID ?? "nobody")")
                }
                begin()
                // A new store does not know what the earlier one acknowledged.
                if isOnlyOne, wipedAt ?? .zero <= asked { phone.promise { $0.customer = .some(customer) } }
            } catch {
                trace.say("\(name): the person was not changed for certain: \(error)")
            }
        }
    }

    /// From here on every answer may be about another person.
    private func begin() {
        phone.shop?.personChanges()
        record.withLock { record in
            record.isPersonChanged = true
            record.shown = [:]
        }
        phone.promise { promises in
            promises.forgetProfile()
            promises.personChangedAt = clock.elapsed
        }
    }
}

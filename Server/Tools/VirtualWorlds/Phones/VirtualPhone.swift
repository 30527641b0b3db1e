// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import Synchronization

/// A phone and the person who holds it: everything that stays between launches of the app, and everything that was promised.
final class VirtualPhone: Sendable {
    struct Memory: Sendable {
        var files: [StorageName: Data] = [:]
        var keychain: String?
        var calendarIsAhead = Duration.zero
        var launches = 0
        /// Every installation that this phone has had.
        var installs: Set<String> = []
        /// The installations that ended: the app was removed, or its files were copied to another phone.
        var endedInstalls: Set<String> = []
        /// Tokens that the current installation got.
        var tokens: [String] = []
        var promises = Promises()
    }

    /// What only some worlds have.
    struct Extras: Sendable {
        var links: Dice?
        var plans: Dice?
        var hasWrappedLinks = false
        var shop: PhoneShop?
        var modes: Dice?
        var planted: PlantedError?
    }

    let name: String
    let origin: PhoneOrigin
    let dice: Dice
    /// The dice for the taps of this phone; nil if nobody taps a link.
    let linkDice: Dice?
    /// The dice for the plans of this person; nil if the app sets none.
    let planDice: Dice?
    /// Some of the links have ended, some are wrapped.
    let hasWrappedLinks: Bool
    /// What this person buys; nil if nothing is sold.
    let shop: PhoneShop?
    /// The dice for what the SDK may collect; nil if the app never says it.
    let modeDice: Dice?
    let planted: PlantedError?
    let memory = Mutex(Memory())

    init(_ name: String, _ dice: Dice, _ more: Extras = Extras()) {
        self.name = name
        self.dice = dice
        linkDice = more.links
        planDice = more.plans
        hasWrappedLinks = more.hasWrappedLinks
        shop = more.shop
        modeDice = more.modes
        planted = more.planted
        origin = PhoneOrigin(dice)
    }

    /// The app was removed and installed again: its files are gone, the keychain stays.
    func reinstall() {
        shop?.installationChanges()
        memory.withLock { memory in
            memory.endedInstalls = memory.installs
            memory.files = [:]
            memory.tokens = []
            memory.promises.forgetInstall()
            // The unit goes on only if the store has heard of the device, which the phone cannot know.
            memory.promises.experiments.forgetUnit()
            memory.promises.collection = nil
        }
    }

    /// The app's files were copied to a new phone, whose keychain is empty.
    func moveToNewPhone() {
        shop?.installationChanges()
        memory.withLock { memory in
            memory.endedInstalls = memory.installs
            memory.keychain = nil
            memory.tokens = []
            // What the earlier installation had sent belongs to its own profile.
            memory.promises.forgetProfile()
            memory.promises.isAttributedByOther = false
            memory.promises.links.moved()
            memory.promises.collection = nil
            memory.promises.experiments.forgetUnit()
        }
    }

    /// The server has lost its store: what it had acknowledged is gone, and it knows none of the tokens.
    func serverWasWiped(at time: Duration) {
        memory.withLock { memory in
            memory.tokens = []
            memory.promises.forgetStore(at: time)
            memory.promises.experiments.wiped(isReinstalled: !memory.endedInstalls.isEmpty)
        }
    }

    @discardableResult
    func promise<Result>(_ body: (inout Promises) -> Result) -> Result { memory.withLock { body(&$0.promises) } }

    func makeToken() -> String {
        memory.withLock { memory in
            let token = "sim.\(origin.order)&id=\(name)-\(memory.launches)-\(memory.tokens.count)"
            memory.tokens.append(token)
            return token
        }
    }
}

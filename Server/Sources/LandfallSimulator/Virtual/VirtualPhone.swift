// SPDX-License-Identifier: Apache-2.0
import Foundation
import Landfall
import LandfallTesting
import Synchronization

/// A phone and the person who holds it: what outlives a launch of the app, and everything that was promised to them.
final class VirtualPhone: Sendable {
    struct Memory: Sendable {
        var files: [StorageName: Data] = [:]
        var keychain: String?
        var calendarIsAhead = Duration.zero
        var launches = 0
        /// Every installation that this phone has had.
        var installs: Set<String> = []
        /// Tokens that were handed out to the installation of now.
        var tokens: [String] = []
        /// How many exposures were accepted, ever and since the app's files were last removed.
        var exposures = 0
        var exposuresOfInstall = 0
        /// The last value of the attribute that was accepted since the app's files were last removed.
        var sessions: Int?
    }

    let name: String
    let origin: PhoneOrigin
    let dice: Dice
    let memory = Mutex(Memory())

    init(_ name: String, _ dice: Dice) {
        self.name = name
        self.dice = dice
        origin = PhoneOrigin(dice)
    }

    /// The app was removed and installed again: its files are gone, the keychain stays.
    func reinstall() {
        memory.withLock { memory in
            memory.files = [:]
            memory.forgetInstall()
        }
    }

    /// The app's files were copied to a new phone, whose keychain is empty.
    func moveToNewPhone() {
        memory.withLock { memory in
            memory.keychain = nil
            memory.tokens = []
            // What the earlier installation had sent belongs to its own profile.
            memory.sessions = nil
        }
    }

    func makeToken() -> String {
        memory.withLock { memory in
            let token = "sim.\(origin.order)&id=\(name)-\(memory.launches)-\(memory.tokens.count)"
            memory.tokens.append(token)
            return token
        }
    }
}

extension VirtualPhone.Memory {
    fileprivate mutating func forgetInstall() {
        tokens = []
        exposuresOfInstall = 0
        sessions = nil
    }
}

// SPDX-License-Identifier: Apache-2.0
import Crypto
import Foundation
import LandfallWire
import Testing

@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

@Suite("A cache of installs", .timeLimit(.minutes(1)))
struct InstallCacheTests {
    private static let app = AppID("example")

    private static func id(_ number: Int) -> InstallID {
        let digits = String(number)
        return InstallID("0199b0a0-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
    }

    private static func install(_ number: Int, profile: String? = nil) -> KnownInstall {
        let id = id(number)
        let install = Install(
            id: id, profileID: profile.map { ProfileID($0) } ?? .first(of: id), epoch: 1, installVersion: 1, profileVersion: 0,
            attributionVersion: 0, customerID: nil, customerIsVerified: false, device: DeviceFacts(), attributes: [:],
            isReinstall: false, firstInstallID: nil, createdAtMs: 0, installedAtMs: 0, lastSeenAtMs: 0, facts: []
        )
        return KnownInstall(app, StoredInstall(secretHash: [UInt8](repeating: 1, count: 32), install: install))
    }

    private static func key(_ number: Int) -> InstallKey { InstallKey(id(number))! }

    private func keep(_ numbers: Range<Int>, in cache: InstallCache) {
        for number in numbers { cache.keep(Self.install(number), at: Self.key(number), cache.ticket()) }
    }

    @Test("A value that was read before a change is not cached after it")
    func lateReader() {
        let cache = InstallCache()
        let ticket = cache.ticket()
        cache.hear(.changed([.install(Self.id(1), in: Self.app)]))

        cache.keep(Self.install(1), at: Self.key(1), ticket)

        #expect(cache.find(Self.app, Self.key(1)) == nil)
        cache.keep(Self.install(1), at: Self.key(1), cache.ticket())
        #expect(cache.find(Self.app, Self.key(1)) != nil)
    }

    @Test("A change of a profile invalidates all installs that show it, and no others")
    func profile() {
        let cache = InstallCache()
        for (number, profile) in [(1, "s_maya"), (2, "s_maya"), (3, "s_omar")] {
            cache.keep(Self.install(number, profile: profile), at: Self.key(number), cache.ticket())
        }

        cache.hear(.changed([.install(Self.id(9), in: Self.app), .profile(ProfileID("s_maya"), in: Self.app)]))

        #expect(cache.find(Self.app, Self.key(1)) == nil)
        #expect(cache.find(Self.app, Self.key(2)) == nil)
        #expect(cache.find(Self.app, Self.key(3)) != nil)
        cache.hear(.missed)
        #expect(cache.find(Self.app, Self.key(3)) == nil)
    }

    @Test("Another app's install of the same id is a different one")
    func apps() {
        let cache = InstallCache()
        keep(1..<2, in: cache)

        #expect(cache.find(AppID("other"), Self.key(1)) == nil)
    }

    @Test("Installs and bytes are limited; recently used installs stay")
    func bounds() {
        for limits in [InstallCache.Limits(installs: 160, bytes: .max), .init(installs: .max, bytes: 160 * 3_072)] {
            let cache = InstallCache(limits)
            keep(0..<32, in: cache)
            for number in 32..<2_000 {
                keep(number..<number + 1, in: cache)
                for asked in 0..<8 { _ = cache.find(Self.app, Self.key(asked)) }
            }

            let counts = cache.counts
            #expect(counts.installs <= 160)
            #expect(counts.bytes <= 160 * 3_072)
            #expect((0..<8).allSatisfy { cache.find(Self.app, Self.key($0)) != nil })
        }
    }

    @Test("An install's id converts to a number and back")
    func keys() throws {
        for _ in 0..<100 {
            let id = InstallID(UUID().uuidString.lowercased())
            #expect(try #require(InstallKey(id)).id == id)
        }
        for text in ["", "0199B0A0-0000-7000-8000-000000000001", "0199b0a0-0000-7000-8000-00000000000g", "0199b0a000007000-8000-0000-00000000001"] {
            #expect(InstallKey(InstallID(text)) == nil)
        }
    }

    @Test("A secret's hash is compared completely")
    func hashes() throws {
        let bytes = Array(SHA256.hash(data: Data("secret".utf8)))
        let hash = try #require(SecretHash(bytes))
        #expect(hash.bytes == bytes)
        #expect(hash.matches(hash))
        for place in 0..<32 {
            var other = bytes
            other[place] ^= 1
            #expect(try !#require(SecretHash(other)).matches(hash))
        }
        #expect(SecretHash([]) == nil)
    }
}

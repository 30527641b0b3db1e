// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire
import Testing

@testable import LandfallServer

@Suite("The purchase token of a profile", .timeLimit(.minutes(1)))
struct PurchaseTokensTests {
    private static let tokens = PurchaseTokens(key: [UInt8](repeating: 7, count: 32))
    private static let profiles = [
        "i_0198f0c2-7b1a-7c3d-8e4f-000000000001", "i_0198f0c2-7b1a-7c3d-8e4f-000000000002", "s_0198f0c2-7b1a-7c3d-8e4f-000000000001",
        "i_8d4f6f4e-8f4c-4a5e-bb0c-ffffffffffff", "i_00000000-0000-7000-8000-000000000000", "i_ffffffff-ffff-7fff-bfff-ffffffffffff",
    ].map { ProfileID($0) }

    @Test("is a random UUID, in which nothing of the id is left", arguments: profiles)
    func form(profile: ProfileID) throws {
        let token = try #require(Self.tokens.token(of: profile))

        #expect(UUID(uuidString: token)?.uuidString.lowercased() == token)
        #expect(Array(token)[14] == "4")
        #expect("89ab".contains(Array(token)[19]))
        #expect(zip(token, profile.rawValue.dropFirst(2)).filter { $0 == $1 && $0 != "-" }.count < 16)
    }

    @Test("is read back, whatever case its letters have", arguments: profiles)
    func reversed(profile: ProfileID) throws {
        let token = try #require(Self.tokens.token(of: profile))

        #expect(Self.tokens.profiles(of: token).contains(profile))
        #expect(Self.tokens.profiles(of: token.uppercased()).contains(profile))
    }

    @Test("differs for each profile, for each kind of id, and for each store")
    func different() {
        let own = Self.profiles.compactMap { Self.tokens.token(of: $0) }
        let others = Self.profiles.compactMap { PurchaseTokens(key: [UInt8](repeating: 8, count: 32)).token(of: $0) }

        #expect(Set(own + others).count == 2 * Self.profiles.count)
    }

    @Test("is none for an id of another form, and stands for nobody if it is none", arguments: ["x", "i_x", "i_0198F0C2-7B1A-7C3D-8E4F-000000000001", "c_1", ""])
    func none(text: String) {
        #expect(Self.tokens.token(of: ProfileID(text)) == nil)
        #expect(Self.tokens.profiles(of: text).isEmpty)
        #expect(Self.tokens.profiles(of: "0198f0c2-7b1a-7c3d-8e4f-000000000001").isEmpty)
    }
}

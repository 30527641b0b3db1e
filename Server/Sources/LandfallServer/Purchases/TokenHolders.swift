// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallStore
import LandfallWire

/// Whose the token of a purchase is, inside a transaction: Landfall's own tokens are read back, those that the app made before are
/// remembered.
struct TokenHolders: Sendable {
    let tokens: PurchaseTokens
    let app: AppID

    /// - Parameter token: in lower case.
    /// - Returns: nil for a token of nobody who is known here. The profile is locked: it is not erased before the unit ends.
    func holder(of token: String, _ connection: any WriteConnection) throws -> ProfileID? {
        guard let found = try search(token, connection) else { return nil }
        try connection.lock([.profile(found, in: app)])
        // It may have been erased until the lock came; then its row would be made again.
        return try search(token, connection) == found ? found : nil
    }

    private func search(_ token: String, _ connection: any ReadConnection) throws -> ProfileID? {
        let questions = tokens.profiles(of: token).flatMap { profile in
            StoredProfile.questions(of: profile, in: app)
                + [Statement(Self.formerText, [.text(app.rawValue), .text(profile.rawValue)])]
        }
        let other = Statement(Self.otherText, [.text(app.rawValue), .text(token)])
        return try connection.rows(questions + [other]).lazy.compactMap(\.first).first.map { ProfileID(try $0.text("profile_id")) }
    }

    func isToken(_ token: String, of profile: ProfileID, _ connection: any ReadConnection) throws -> Bool {
        if tokens.profiles(of: token).contains(profile) { return true }
        return try connection.row(Self.otherText, [.text(app.rawValue), .text(token)])?.text("profile_id") == profile.rawValue
    }

    /// Apple sends the token again with each renewal. Only a customer whom the app's backend has verified is remembered by one: it could be
    /// anybody's.
    func remembering(_ token: String, of profile: ProfileID, _ connection: any ReadConnection) throws -> [Statement] {
        guard !tokens.profiles(of: token).contains(profile) else { return [] }
        guard try StoredProfile.isVerified(profile, in: app, from: connection) == true else { return [] }
        return [
            Statement(
                "INSERT INTO purchase_token (app_id, token, profile_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                [.text(app.rawValue), .text(token), .text(profile.rawValue)])
        ]
    }

    /// Or an install has left it.
    private static let formerText = "SELECT profile_id FROM former_profile WHERE app_id = $1 AND profile_id = $2 LIMIT 1"
    private static let otherText = "SELECT profile_id FROM purchase_token WHERE app_id = $1 AND token = $2"
}

// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
import LandfallStore
import LandfallWire

/// Whether names and spend of Apple Ads are read, and whether they belong to the installs.
extension StoreDoctor {
    /// Nothing if the file gives no access to them.
    func appleAds(_ configuration: Configuration) async -> [DoctorFinding] {
        guard let access = configuration.appleAds else { return [] }
        let app = configuration.app.id
        do {
            let reading = try await database.read { try AppleAdsReading(of: app, $0) }
            guard let reading, reading.access == access.fingerprint else {
                return [.good("appleAds", "Names and spend of Apple Ads are read within two minutes of the server's start or of the file's publication.")]
            }
            let accounts = try await AppleAdsReportStore(database, app: app).accounts()
            let state = reading.trouble.map { DoctorFinding($0, readAtMs: reading.readAtMs) } ?? Self.read(accounts.filter(\.isRead))
            let origins = try await AppleAdsOrigins(database, app: app).recent()
            return [state] + Self.organisation(of: accounts, origins.compactMap(\.orgId)) + (try await nameless(origins.compactMap(\.campaignId), app))
        } catch {
            // An older store has no tables for it.
            return []
        }
    }

    private static func read(_ accounts: [StoredAdAccount]) -> DoctorFinding {
        let names = accounts.prefix(5).map { account in
            let oldest = account.oldestDay.map { "spend since \(Instant.text(ofDay: $0))" } ?? "no spend yet"
            return "\(account.account.name) (\(account.account.id), \(oldest))"
        }
        let more = accounts.count > names.count ? " and \(accounts.count - names.count) more" : ""
        return .good("appleAds", "Names and spend of Apple Ads are read: \(names.joined(separator: ", "))\(more).")
    }

    /// AdServices names the organisation whose campaign brought an install.
    private static func organisation(of accounts: [StoredAdAccount], _ said: [Int64]) -> [DoctorFinding] {
        let read = Set(accounts.compactMap(\.account.organisation))
        guard let other = said.first(where: { !read.contains($0) }), !read.isEmpty else { return [] }
        let count = said.count { !read.contains($0) }
        return [
            .bad(
                "appleAdsOrganisation",
                "\(count) of the newest \(said.count) attributed installs came from the organisation \(other), but the key reads \(read.sorted().map { "\($0)" }.joined(separator: ", ")).",
                fix: "Invite the user of the API in the organisation \(other), and write its ids and key under 'appleAds'.")
        ]
    }

    private func nameless(_ campaigns: [Int64], _ app: AppID) async throws -> [DoctorFinding] {
        let ids = Set(campaigns)
        guard !ids.isEmpty else { return [] }
        let named = try await AppleAdsNames(database, app: app).names(of: ids.map { AppleAdsNames.Key(.campaign, $0) })
        let nameless = ids.filter { named[AppleAdsNames.Key(.campaign, $0)] == nil }.sorted()
        guard !nameless.isEmpty else { return [.good("appleAdsNames", "Each of the \(ids.count) campaigns of the newest installs has a name.")] }
        return [
            .bad(
                "appleAdsNames",
                "\(nameless.count) of the \(ids.count) campaigns of the newest installs have no name: \(nameless.prefix(5).map { "\($0)" }.joined(separator: ", "))\(nameless.count > 5 ? " …" : "").",
                fix: "Add their ad accounts to 'adAccounts', or give the user of the API access to them.")
        ]
    }
}

extension DoctorFinding {
    /// - Parameter readAtMs: the last read without trouble, by the same ids.
    fileprivate init(_ trouble: AppleAdsTrouble, readAtMs: Int64?) {
        let said = " (\(trouble.detail))"
        let finding: (String, fix: String) =
            switch trouble.kind {
            case .keyUnusable: ("The private key of 'appleAds' cannot be used.\(said)", "Set the variable, or put the file into the folder of --secrets, and start the server again.")
            case .invalidClient:
                if let readAtMs {
                    (
                        "Apple gives no token any more; the last read was at \(Instant(milliseconds: readAtMs)): the key was revoked, or the user was removed.\(said)",
                        "Upload a new public key in Apple Ads (Settings, API), and write its ids and key under 'appleAds'."
                    )
                } else {
                    (
                        "Apple gives no token: the private key and the ids of 'appleAds' do not match.\(said)",
                        "Compare clientId, teamId and keyId with what Apple Ads shows (Settings, API), and the public key there with the private key."
                    )
                }
            case .refused: ("Apple refuses the tokens that it gives.\(said)", "Compare the machine's clock with Apple's, and the user's access in Apple Ads.")
            case .roleMissing:
                ("The user of the API may not read an ad account.\(said)", "Give the user the role API Account Read Only in Apple Ads (Settings, User Management).")
            case .noAccount: (trouble.detail, "Give the user access to the ad account in Apple Ads, or correct 'adAccounts'.")
            case .limited: ("Apple Ads is asked too often.\(said)", "Look for another program that uses the same user. The server goes on by itself.")
            case .unreachable, .failing: ("Apple Ads does not answer.\(said)", "Let this machine reach api.ads.apple.com and appleid.apple.com on port 443. The server goes on by itself.")
            case .unexpected: ("Apple Ads answers in a way that this release does not know.\(said)", "Look for a newer release of Landfall. What was read before stays.")
            }
        self = .bad("appleAds", finding.0, fix: finding.fix)
    }
}

// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import Foundation
import LandfallNode
import LandfallServer
import NIOCore
import NIOHTTP1
import NIOSSL

/// Checks Apple's side: whether its service can be reached from here, its clock, and the association files in its CDN.
struct AppleExamination: Sendable {
    static let cdn = "app-site-association.cdn-apple.com"
    static let service = "https://api-adservices.apple.com/api/v1/"
    /// A smaller difference does no harm to Apple's tokens, ends of keys and ages of links.
    static let mostClockSeconds: TimeInterval = 10

    let subject: DoctorSubject
    /// Apple's attribution service, or a simulated one.
    let serviceURL: String
    let resolution: Resolution
    let trusted: [NIOSSLCertificate]

    func findings() async -> [DoctorFinding] {
        guard subject.asksAppleAds else { return [.good("apple", "Ad tokens are not sent to Apple (appleAds.enabled: false).")] }
        guard let url = URL(string: serviceURL), let host = url.host() else {
            return [.bad("apple", "'\(serviceURL)' is not an address.", fix: "Correct --apple-ads.")]
        }
        let isTLS = url.scheme == "https"
        let port = url.port ?? (isTLS ? 443 : 80)
        let addresses = await resolution.addresses(of: host, port: port) ?? []
        let connection = PublicConnection(host: host, port: port, isTLS: isTLS, addresses: addresses, trusted: trusted)
        do {
            guard !addresses.isEmpty else { throw NoAddress() }
            // Tokens are posted to this address. A request without a token is refused; the refusal shows that Apple can be reached.
            let answer = try await connection.get(url.path().isEmpty ? "/" : url.path())
            return [.good("apple", "\(host) answers, so ad tokens can be exchanged.")] + clock(answer, asked: Date())
        } catch {
            return [
                .bad(
                    "apple", "\(host) cannot be reached: \(error). Ad tokens wait, and every install stays unattributed until then.",
                    fix: "Let this machine reach \(host) on port \(port): look at DNS, the firewall and outgoing proxies.")
            ]
        }
    }

    private struct NoAddress: Error, CustomStringConvertible { let description = "its name has no address here" }

    /// - Parameter asked: when the answer arrived.
    private func clock(_ answer: PublicConnection.Answer, asked: Date) -> [DoctorFinding] {
        guard let text = answer.headers.first(name: "date"), let date = HTTPDateText.date(text) else { return [] }
        // The header has whole seconds.
        let difference = asked.timeIntervalSince(date) - 0.5
        guard abs(difference) > Self.mostClockSeconds else { return [.good("clock", "The clock agrees with Apple's.")] }
        let seconds = Int(abs(difference).rounded())
        return [
            .bad(
                "clock", "The clock is \(seconds) s \(difference > 0 ? "ahead of" : "behind") Apple's.",
                fix: "Let the system keep time (timedatectl set-ntp true, or chrony).")
        ]
    }

    /// Phones read the association file from Apple's CDN, which asks the domain itself.
    func cdn(_ host: String) async -> DoctorFinding {
        let unreached = DoctorFinding.good("appleCDN", "Apple's CDN cannot be reached from here to check \(host). That does no harm: phones ask the CDN, not this machine.")
        guard let addresses = await resolution.addresses(of: Self.cdn, port: 443), let port = addresses.first?.port,
            let answer = try? await PublicConnection(host: Self.cdn, port: port, isTLS: true, addresses: addresses, trusted: trusted)
                .get("/a/v1/\(host)")
        else { return unreached }
        return cdn(host, says: answer)
    }

    /// - Parameter answer: of the CDN, about the host's association file.
    func cdn(_ host: String, says answer: PublicConnection.Answer) -> DoctorFinding {
        guard answer.status == 200 else {
            let reason = answer.headers.first(name: "Apple-Failure-Details") ?? answer.headers.first(name: "Apple-Failure-Reason")
            return .bad(
                "appleCDN", "Apple's CDN has no association file of \(host)\(reason.map { ": \($0)" } ?? "").",
                fix: "Correct what the line 'association' says, if it says something. Apple asks again within a day.")
        }
        guard let appID = subject.appID, AssociationReader.appIDs(answer.body).contains(appID) else {
            return .bad(
                "appleCDN", "Apple's CDN has an association file of \(host) without \(subject.appID ?? "the app").",
                fix: "Wait: Apple asks again within a day. Until then test devices can use applinks:\(host)?mode=developer.")
        }
        let (wanted, clips) = (subject.appClips ?? [], AssociationReader.appClips(answer.body))
        if let missing = wanted.first(where: { !clips.contains($0) }) {
            return .bad(
                "appleCDN", "Apple's CDN has an association file of \(host) without the App Clip \(missing).",
                fix: "Wait: Apple asks again within a day. Until then test devices can use appclips:\(host)?mode=developer.")
        }
        let named = ([appID] + wanted).joined(separator: " and ")
        return .good("appleCDN", "Apple's CDN names \(named) for \(host).")
    }
}

/// `Sun, 22 Nov 2026 15:04:05 GMT`.
enum HTTPDateText {
    static func date(_ text: String) -> Date? {
        let format = "\(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)" as Date.FormatString
        let strategy = Date.ParseStrategy(
            format: format, locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt)
        guard let comma = text.firstIndex(of: ","), text.hasSuffix(" GMT") else { return nil }
        return try? strategy.parse(String(text[text.index(after: comma)...].dropFirst().dropLast(4)))
    }
}
#endif

// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import Foundation
import LandfallNode
import LandfallServer
import LandfallWire
import NIOCore
import NIOHTTP1
import NIOSSL

/// Checks one host of the configuration from outside: its name, its certificate, and what it serves.
struct HostExamination: Sendable {
    enum Purpose: Hashable, Sendable {
        /// Serves links.
        case brand
        /// The team's own web site, whose addresses open the app.
        case universal
        case api
    }

    /// A certificate with fewer days left should have been renewed already.
    static let leastDaysOfCertificate = 14
    /// Apple's CDN does not take a larger file.
    static let largestAssociation = 128 * 1024
    static let associationPath = "/.well-known/apple-app-site-association"

    let host: String
    var port = 443
    var isTLS = true
    let purpose: Purpose
    let subject: DoctorSubject
    let resolution: Resolution
    let trusted: [NIOSSLCertificate]
    var now = Date()

    func findings() async -> [DoctorFinding] {
        guard let addresses = await resolution.addresses(of: host, port: port) else {
            return [.bad("dns", "The resolver did not answer for '\(host)' in time.", fix: "Look at the network and the resolver of this machine.")]
        }
        guard !addresses.isEmpty else {
            return [.bad("dns", "'\(host)' has no address.", fix: "Add an A or AAAA record that leads to your server, or correct 'domains'.")]
        }
        let texts = addresses.compactMap(\.ipAddress)
        let dns = DoctorFinding.good("dns", "\(host) is \(texts.joined(separator: ", ")).")
        let connection = PublicConnection(host: host, port: port, isTLS: isTLS, addresses: addresses, trusted: trusted)
        let answer: PublicConnection.Answer
        do {
            answer = try await connection.get(purpose == .api ? "/healthz" : Self.associationPath)
        } catch {
            return [dns, await failed(error, connection)]
        }
        var findings = [dns]
        if isTLS { findings.append(certificate(answer.certificate)) }
        if purpose == .api {
            findings.append(api(answer))
            if findings.allSatisfy(\.ok) { findings += await stream(connection) }
        } else {
            findings.append(association(answer))
        }
        return findings
    }

    // MARK: TLS

    private func certificate(_ certificate: NIOSSLCertificate?) -> DoctorFinding {
        guard let certificate else { return .good("tls", "\(host) is trusted.") }
        let end = Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter))
        let days = end.wholeDays(after: now)
        let text = "The certificate of \(host) is trusted and ends on \(end.day), in \(days) days."
        return days >= Self.leastDaysOfCertificate
            ? .good("tls", text) : .bad("tls", text, fix: "Renew it, and find out why it was not renewed automatically (certbot renew, or the log of Caddy).")
    }

    /// Why no answer came. If the certificate is the reason, it is fetched once more without verification.
    private func failed(_ error: any Error, _ connection: PublicConnection) async -> DoctorFinding {
        if let finding = await untrusted(error, connection) { return finding }
        let name = port == 443 ? host : "\(host):\(port)"
        return .bad(
            isTLS ? "tls" : "api", "\(name) does not answer: \(error).",
            fix: "Check that the proxy runs with a certificate for \(host), and that the firewall allows port \(port).")
    }

    /// What is wrong with the certificate; nil if no answer came for another reason.
    func untrusted(_ error: any Error, _ connection: PublicConnection) async -> DoctorFinding? {
        let isReached: Bool
        switch error as? PublicRefusal {
        case .unreached, .tooSlow: isReached = false
        default: isReached = true
        }
        guard isReached, isTLS, !(error is CancellationError), let certificate = try? await connection.get("/healthz", verifies: false).certificate
        else { return nil }
        let end = Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter))
        if end <= now {
            return .bad("tls", "The certificate of \(host) ended on \(end.day).", fix: "Renew it.")
        }
        let names = certificate.hostNames
        if !names.contains(where: { HostName.matches(host, pattern: $0) }) {
            return .bad(
                "tls", "The certificate of \(host) is for \(names.isEmpty ? "nobody" : names.prefix(5).joined(separator: ", ")).",
                fix: "Get a certificate that names \(host).")
        }
        return .bad(
            "tls", "The certificate of \(host) is not trusted: phones do not know any of its issuers.",
            fix: "Get one from a public authority, and configure the proxy to send the whole chain (fullchain.pem).")
    }

    // MARK: Association file

    func association(_ answer: PublicConnection.Answer) -> DoctorFinding {
        func bad(_ what: String, _ fix: String) -> DoctorFinding { .bad("association", "\(host)\(Self.associationPath) \(what).", fix: fix) }
        guard let appID = subject.appID else {
            return bad("names no app, because the configuration has no 'app.teamId'", "Add it: Apple's ten characters.")
        }
        guard !(300..<400).contains(answer.status) else {
            let target = answer.headers.first(name: "location").map { " to \($0)" } ?? ""
            return bad("is a redirect\(target), and Apple follows no redirect", "Serve the file at this address, without a redirect.")
        }
        guard answer.status == 200 else {
            let serving = purpose == .brand ? "Lead \(host) to the server, and name it below 'domains.brand'." : "Pass this path on to the server in the web site's proxy, or put the file on the web site; \(subject.brandHosts.first.map { "https://\($0)\(Self.associationPath)" } ?? "a brand domain") has it."
            return bad("is answered with \(answer.status)", serving)
        }
        let type = answer.headers.first(name: "content-type") ?? "nothing"
        guard type.lowercased().prefix(while: { $0 != ";" }).trimmingCharacters(in: .whitespaces) == "application/json" else {
            return bad("has the type '\(type)'", "Send it with Content-Type: application/json.")
        }
        guard answer.body.count <= Self.largestAssociation else {
            return bad("is larger than 128 KiB, and Apple takes no larger one", "Shorten 'app.association.exclude'.")
        }
        let apps = AssociationReader.appIDs(answer.body)
        guard apps.contains(appID) else {
            let named = apps.isEmpty ? "no app" : apps.prefix(3).joined(separator: ", ")
            return bad("names \(named), and not \(appID)", "Correct 'app.teamId' and 'app.bundleId', or the file of the web site.")
        }
        let clips = AssociationReader.appClips(answer.body)
        if let missing = subject.appClips?.first(where: { !clips.contains($0) }) {
            return bad("does not name the App Clip \(missing)", "Put 'appclips' into the file of the web site, as a brand domain has it.")
        }
        return .good("association", "\(host)\(Self.associationPath) names \(appID), as Apple's CDN wants it.")
    }

    // MARK: API

    private func api(_ answer: PublicConnection.Answer) -> DoctorFinding {
        guard answer.status == 200, answer.headers.contains(name: "Landfall-Version") else {
            return .bad(
                "api", "\(host)/healthz is answered with \(answer.status), and not by Landfall.",
                fix: "Lead \(host) to the server: Examples/SelfHost has files for nginx and Caddy.")
        }
        return .good("api", "\(host) leads to a server of Landfall \(answer.headers.first(name: "Landfall-Version") ?? "").")
    }

    /// Asks for a slow stream, as a first open is one.
    private func stream(_ connection: PublicConnection) async -> [DoctorFinding] {
        guard let key = subject.sdkKey else {
            return [.bad("buffering", "No SDK key opens anything now, so no stream can be asked for.", fix: "Add a key below 'keys'.")]
        }
        do {
            let answer = try await connection.get(
                "/v1/stream-trial", headers: [("Authorization", "Bearer \(key)"), ("X-Forwarded-For", CallerWay.triedAddress)])
            return [buffering(answer), proxy(answer)].compactMap(\.self)
        } catch {
            return [.bad("buffering", "A stream from \(host) does not arrive: \(error).", fix: "Check the proxy's time limits.")]
        }
    }

    /// Whether the server knows callers' addresses. Nil for a server of an older release, and where no proxy is needed.
    private func proxy(_ answer: PublicConnection.Answer) -> DoctorFinding? {
        struct Line: Decodable { let way: CallerWay? }
        let line = answer.body.prefix { $0 != UInt8(ascii: "\n") }
        let overwrite = "Let the proxy overwrite the field (nginx: proxy_set_header X-Forwarded-For $remote_addr): Examples/SelfHost has files for nginx and Caddy."
        switch (try? WireCoding.decode(Line.self, from: Data(line)))?.way {
        case .direct? where isTLS:
            return .bad(
                "proxy", "The server does not trust the proxy before \(host): all visitors seem to have the proxy's address.",
                fix: "Start the server with --trusted-proxies and the proxy's address, such as 127.0.0.1.")
        case .unsaid?: return .bad("proxy", "The proxy before \(host) does not say whose calls it forwards (X-Forwarded-For).", fix: overwrite)
        case .claimed?:
            return .bad("proxy", "The proxy before \(host) forwards the X-Forwarded-For that a caller writes: callers can choose their address.", fix: overwrite)
        case .forwarded?: return .good("proxy", "The server gets the addresses of callers from the proxy before \(host).")
        case .direct?, nil: return nil
        }
    }

    private func buffering(_ answer: PublicConnection.Answer) -> DoctorFinding {
        guard answer.status == 200, let first = answer.arrivals.first, let last = answer.arrivals.last, answer.arrivals.count > 1 else {
            return .bad(
                "buffering", "\(host) answers \(answer.status) where it is asked for a stream.",
                fix: "Check that \(host) leads to this server, with this release and this configuration.")
        }
        let span = last - first
        guard span >= .milliseconds(150 * (answer.arrivals.count - 1)) else {
            return .bad(
                "buffering", "A proxy before \(host) holds lines back: \(answer.arrivals.count) lines that were sent 300 ms apart arrived within \(span.wholeMilliseconds) ms.",
                fix: "Switch buffering and compression off for the API: Examples/SelfHost has files for nginx and Caddy.")
        }
        return .good("buffering", "Lines of a stream from \(host) arrive one by one.")
    }
}

/// Reads which apps an association file names.
enum AssociationReader {
    static func appIDs(_ body: [UInt8]) -> [String] {
        guard let file = try? WireCoding.decode(JSONValue.self, from: Data(body)), let details = file["applinks"]?["details"]?.array else {
            return []
        }
        return details.flatMap { ($0["appIDs"]?.array ?? []).compactMap(\.string) + [$0["appID"]?.string].compactMap(\.self) }
    }
}

extension AssociationReader {
    static func appClips(_ body: [UInt8]) -> [String] {
        let file = try? WireCoding.decode(JSONValue.self, from: Data(body))
        return (file?["appclips"]?["apps"]?.array ?? []).compactMap(\.string)
    }
}

/// Names in certificates: `*` stands for one whole label.
enum HostName {
    static func matches(_ host: String, pattern: String) -> Bool {
        let (host, pattern) = (host.lowercased(), pattern.lowercased())
        guard pattern.hasPrefix("*."), let dot = host.firstIndex(of: ".") else { return host == pattern }
        return host[dot...] == pattern.dropFirst()
    }
}

extension NIOSSLCertificate {
    /// Of its subject's alternative names.
    fileprivate var hostNames: [String] {
        _subjectAlternativeNames().compactMap { name in
            name.nameType == .dnsName ? String(decoding: name.contents, as: UTF8.self) : nil
        }
    }
}
#endif

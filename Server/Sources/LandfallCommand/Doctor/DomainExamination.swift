// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import Foundation
import LandfallNode
import LandfallServer
import LandfallWire
import NIOCore
import NIOSSL

/// What a running server asks about its own domains, for alerts: the checks of `landfall doctor`, in numbers.
struct DomainExamination: Sendable {
    /// Further hosts are not looked at.
    static let mostHosts = 50
    /// At a time: all hosts together end within ``AlertMeter/patience``, also if none answers.
    static let concurrency = 16
    /// For the host itself: its addresses, and an answer.
    static let patience = HostAddresses.patience + PublicConnection.patience
    /// For Apple's copy of its file.
    static let copyPatience = PublicConnection.patience

    let subject: DoctorSubject
    /// As this server serves it on its brand domains.
    let file: JSONValue?
    let resolution: Resolution

    func looks() async -> [DomainLook] {
        let apple = AppleExamination(subject: subject, serviceURL: AppleExamination.service, resolution: resolution, trusted: [])
        let brands = subject.brandHosts.map { (host: $0, purpose: HostExamination.Purpose.brand) }
        let hosts = (brands + subject.apiHosts.map { (host: $0, purpose: HostExamination.Purpose.api) }).prefix(Self.mostHosts)
        return await withTaskGroup(of: (Int, DomainLook).self) { group in
            var rest = Array(hosts.enumerated())[...], looks: [Int: DomainLook] = [:]
            func begin() {
                guard let next = rest.popFirst() else { return }
                let (number, host, purpose) = (next.offset, next.element.host, next.element.purpose)
                group.addTask {
                    let examination = HostExamination(host: host, purpose: purpose, subject: subject, resolution: resolution, trusted: [])
                    let look = await Self.look(at: host, by: .live) { await examination.look(comparing: file) } copy: {
                        purpose == .brand && file != nil ? await apple.copy(of: host, comparing: file) : nil
                    }
                    return (number, look)
                }
            }
            for _ in 0..<Self.concurrency { begin() }
            for await (number, look) in group {
                looks[number] = look
                begin()
            }
            return looks.sorted { $0.key < $1.key }.map(\.value)
        }
    }

    /// - Returns: without what did not come in time.
    static func look(
        at host: String, by time: ServerTime, own: @escaping @Sendable () async -> DomainLook, copy: @escaping @Sendable () async -> DoctorFinding?
    ) async -> DomainLook {
        var look = (try? await withTimeout(patience, by: time, own)) ?? DomainLook(host: host)
        look.appleCopy = (try? await withTimeout(copyPatience, by: time, copy)) ?? nil
        return look
    }
}

extension HostExamination {
    /// Reached from here, a machine may see less than phones do: a host that does not answer is not judged.
    /// - Parameter file: what a brand domain has to serve.
    func look(comparing file: JSONValue?) async -> DomainLook {
        var look = DomainLook(host: host)
        guard let addresses = await resolution.addresses(of: host, port: port) else { return look }
        guard !addresses.isEmpty else {
            if purpose == .brand {
                look.association = .bad(
                    "association", "'\(host)' has no address.", fix: "Add an A or AAAA record that leads to your server, or correct 'domains'.")
            }
            return look
        }
        let connection = PublicConnection(host: host, port: port, isTLS: isTLS, addresses: addresses, trusted: trusted)
        do {
            let answer = try await connection.get(purpose == .brand ? Self.associationPath : "/healthz")
            if let certificate = answer.certificate {
                let end = Date(timeIntervalSince1970: TimeInterval(certificate.notValidAfter))
                look.certificateDays = Int64(end.wholeDays(after: now))
            }
            if purpose == .brand, file != nil { look.association = association(answer, comparing: file) }
        } catch {
            look.certificateProblem = await untrusted(error, connection)?.message
        }
        return look
    }

    /// - Parameter file: what a brand domain has to serve; nil: it has to name the app.
    func association(_ answer: PublicConnection.Answer, comparing file: JSONValue?) -> DoctorFinding {
        let finding = association(answer)
        guard finding.ok, let file, file != AssociationReader.file(answer.body) else { return finding }
        return .bad(
            "association", "\(host)\(Self.associationPath) names the app, but is another file than the one of this server.",
            fix: "Lead \(host) to this server, or let caches before it keep the file for minutes only.")
    }
}

extension AppleExamination {
    /// - Returns: nil if Apple's CDN cannot be reached from here.
    func copy(of host: String, comparing file: JSONValue?) async -> DoctorFinding? {
        guard let addresses = await resolution.addresses(of: Self.cdn, port: 443), let port = addresses.first?.port,
            let answer = try? await PublicConnection(host: Self.cdn, port: port, isTLS: true, addresses: addresses, trusted: trusted)
                .get("/a/v1/\(host)")
        else { return nil }
        return copy(of: host, says: answer, comparing: file)
    }

    func copy(of host: String, says answer: PublicConnection.Answer, comparing file: JSONValue?) -> DoctorFinding {
        let finding = cdn(host, says: answer)
        guard finding.ok, let file, file != AssociationReader.file(answer.body) else { return finding }
        return .bad(
            "appleCDN", "Apple's copy of the association file of \(host) names the app, but is another file than the one of this server.",
            fix: "Wait: Apple asks again within a day.")
    }
}

extension AssociationReader {
    static func file(_ body: [UInt8]) -> JSONValue? { try? WireCoding.decode(JSONValue.self, from: Data(body)) }
}
#endif

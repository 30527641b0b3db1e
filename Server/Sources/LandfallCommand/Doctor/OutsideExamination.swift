// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import Foundation
import LandfallNode
import LandfallServer
import NIOSSL

/// All checks over the network, at the same time.
struct OutsideExamination: Sendable {
    let subject: DoctorSubject
    /// The base of the API's address, if somebody named it.
    let api: String?
    let appleAds: String
    let resolution: Resolution
    let trusted: [NIOSSLCertificate]

    /// In the order in which a person would check: the API, the domains, Apple.
    func findings() async -> [DoctorFinding] {
        let hosts = hosts
        let apple = AppleExamination(subject: subject, serviceURL: appleAds, resolution: resolution, trusted: trusted)
        var parts: [@Sendable () async -> [DoctorFinding]] = hosts.map { host in { await host.findings() } }
        parts += (subject.brandHosts + subject.universalHosts).map { host in { [await apple.cdn(host)] } }
        parts.append { await apple.findings() }
        let found = await withTaskGroup(of: (Int, [DoctorFinding]).self) { group in
            for (number, part) in parts.enumerated() { group.addTask { (number, await part()) } }
            return await group.reduce(into: [Int: [DoctorFinding]]()) { $0[$1.0] = $1.1 }
        }
        let unnamed: [DoctorFinding] =
            hosts.contains { $0.purpose == .api }
            ? [] : [.good("api", "No host of the API is known, so none was checked. Name it below 'domains.api', or with --public.")]
        return unnamed + found.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    private var hosts: [HostExamination] {
        func look(_ host: String, _ purpose: HostExamination.Purpose) -> HostExamination {
            let port = resolution.overrides.first { $0.host == host.lowercased() }?.port
            return HostExamination(
                host: host, port: port ?? 443, purpose: purpose, subject: subject, resolution: resolution, trusted: trusted)
        }
        var apis = subject.apiHosts.map { look($0, .api) }
        if let api, let url = URL(string: api), let host = url.host() {
            var named = look(host, .api)
            named.isTLS = url.scheme == "https"
            named.port = url.port ?? (named.isTLS ? named.port : 80)
            apis = [named]
        }
        return apis + subject.brandHosts.map { look($0, .brand) } + subject.universalHosts.map { look($0, .universal) }
    }
}
#endif

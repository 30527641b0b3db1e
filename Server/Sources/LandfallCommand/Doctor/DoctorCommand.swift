// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallServer
#if HTTPS
import NIOSSL
#endif

/// `landfall doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks an installation, and says how to correct what is wrong.",
        discussion: """
            Checks the folder, the server that runs on it, disk, limits, schema and configuration; or, with --database, how a \
            PostgreSQL is set up, its standbys and the replica, connections, nodes and indexes. Checks from outside the \
            configuration's domains: DNS, certificates, association files, the API, and whether a proxy holds lines of a stream back; \
            then Apple and the clock. Changes nothing in the store, but for the notification of --test-notification. While a server runs on the folder, the server checks the store. All checks run at \
            the same time, and none takes longer than a few seconds. The exit status is 1 if a check fails.
            """
    )

    @Flag(help: "Read the whole store for damage, which takes as long as it is large.")
    var store = false

    @Flag(help: "Check only this machine and the store, and nothing outside.")
    var local = false

    @Flag(help: "Ask the App Store for a test notification too, which takes up to half a minute and is stored.")
    var testNotification = false

    @OptionGroup var place: StorePlaceOption

    @OptionGroup var replica: ReplicaOption

    @Option(help: "The configuration to check, landfall.yaml (the one that the store serves).")
    var config: String?

    @Option(help: "Where apps reach the API, https://HOST (LANDFALL_PUBLIC; each of domains.api).")
    var `public`: String?

    @Option(help: "A fallback file that apps are shipped with.", completion: .file(extensions: ["json"]))
    var fallback: String?

    @Option(help: "A backup to compare with its checksum (the last one).", completion: .file())
    var backup: String?

    @Option(help: "Apple's attribution service, or a simulated one (LANDFALL_APPLE_ADS).")
    var appleAds: String?

    @Option(help: "HOST=ADDRESS[:PORT]: the address of a host, in place of what DNS says; several by repeating.")
    var resolve: [String] = []

    @Option(help: "Certificates to trust beside the system's, PEM.", completion: .file(extensions: ["pem"]))
    var trust: String?

    @OptionGroup var form: JSONOption

    func run() async throws {
        let environment = FlagEnvironment()
        // First: the other checks repeat how it went.
        let test = testNotification ? await NotificationExamination(place: try place.place(environment)).finding() : nil
        var (findings, subject) = try await examined(environment)
        if let test { findings.append(test) }
        if let backup {
            do {
                let isSealed = try BackupFile(backup).check()
                findings.append(
                    .good("backup", isSealed ? "'\(backup)' is unchanged since it was written." : "'\(backup)' has no checksum: an earlier release made it."))
            } catch {
                findings.append(.bad("backup", "\(error)", fix: "Make another backup, and do not restore this file."))
            }
        }
        if let config {
            do {
                subject = try DoctorSubject(file: config, like: subject)
                findings.append(.good("file", "\(config) can be served."))
            } catch {
                findings.append(.bad("file", "\(error)", fix: "Correct \(config): landfall check says the same."))
            }
        }
        if let subject {
            let promises = PromiseExamination(subject: subject)
            findings.append(promises.keys())
            if let fallback { findings.append(promises.fallback(fallback)) }
            if !local { findings += try await outside(subject, environment) }
        }
        if form.json {
            try form.write(findings)
        } else {
            for line in DoctorTable(findings: findings).lines { Output.line(line) }
        }
        if findings.contains(where: { !$0.ok }) { throw ExitCode.failure }
    }

    private func examined(_ environment: FlagEnvironment) async throws -> (findings: [DoctorFinding], subject: DoctorSubject?) {
        let found = try place.place(environment), replica = try replica.address(environment, of: found)
        switch found {
        case .postgres(let address): return await DatabaseExamination(address: address, replica: replica, isWhole: store).findings()
        case .folder(let folder):
            let isFileAlone =
                config != nil && !place.isGiven && environment.text("data") == nil && environment.text("database") == nil
                && !FileManager.default.fileExists(atPath: folder.database)
            return isFileAlone ? ([], nil) : await Examination(folder: folder, isWhole: store).findings()
        }
    }

    private func outside(_ subject: DoctorSubject, _ environment: FlagEnvironment) async throws -> [DoctorFinding] {
        #if HTTPS
        let overrides = try resolve.map { text in
            guard let override = Resolution.Override(text) else {
                throw ValidationError("'\(text)' is not HOST=ADDRESS or HOST=ADDRESS:PORT. Write for example api.example.com=203.0.113.5.")
            }
            return override
        }
        return await OutsideExamination(
            subject: subject, api: try (`public` ?? environment.text("public")).map { try ServerAddress($0).text },
            appleAds: (appleAds ?? environment.text("apple-ads")).map(AppleAdsAddress.complete) ?? AppleExamination.service,
            resolution: Resolution(overrides: overrides), trusted: try trustedCertificates()
        ).findings()
        #else
        return []
        #endif
    }

    #if HTTPS
    private func trustedCertificates() throws -> [NIOSSLCertificate] {
        guard let trust else { return [] }
        do {
            return try NIOSSLCertificate.fromPEMFile(trust)
        } catch {
            throw ValidationError("'\(trust)' holds no certificates in PEM. Name a file with -----BEGIN CERTIFICATE-----.")
        }
    }
    #endif
}

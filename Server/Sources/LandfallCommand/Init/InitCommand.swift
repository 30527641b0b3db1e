// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallRules
import LandfallServer

/// `landfall init`.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Writes an app's first configuration, and the matching files for Xcode, DNS and the proxy.",
        discussion: """
            landfall.yaml, landfall.entitlements, Landfall.swift, nginx.conf and dns.txt, from the given options only: they contain \
            no example values. Nothing is overwritten without --force, and nothing is asked.
            """
    )

    @Option(help: "The app's bundle id, such as com.example.app.")
    var bundleId: String

    @Option(help: "Apple's team id; the links of the app need it.")
    var team: String?

    @Option(help: "The digits of the app's address in the App Store.")
    var appStoreId: String?

    @Option(help: "The app's own URL scheme, without '://'.")
    var scheme: String?

    @Option(help: "What people call the app (the bundle id).")
    var name: String?

    @Option(help: "A host that serves links; several by repeating.")
    var brand: [String] = []

    @Option(help: "A host of your web site whose addresses open the app; several by repeating.")
    var universal: [String] = []

    @Option(help: "The host at which the app reaches the server (the server's own machine, for trying).")
    var api: String?

    @Option(help: "A product id of the first paywall; several by repeating.")
    var product: [String] = []

    @Option(help: "A public address of the machine with the proxy, for dns.txt; several by repeating.")
    var address: [String] = []

    @Option(help: "The certificate that the proxy shows (the place where certbot puts it).")
    var certificate: String?

    @Option(help: "The certificate's private key (the place where certbot puts it).")
    var certificateKey: String?

    @Option(help: "The folder to write to; created if it is missing (the working directory).")
    var out: String?

    @Flag(help: "Overwrite existing files.")
    var force = false

    @OptionGroup var form: JSONOption

    private struct Written: Encodable {
        struct File: Encodable { let path, purpose: String }
        let sdkKey: String
        let files: [File]
    }

    func run() async throws {
        let app = StartingApp(
            bundleID: bundleId, name: name, teamID: team, appStoreID: appStoreId, scheme: scheme, products: product,
            brand: brand, universal: universal, api: api, sdkKey: StartingApp.newKey()
        )
        let check = ConfigurationCheck(yaml: app.configuration, file: "landfall.yaml", nowMs: ServerTime.live.nowMs())
        guard check.ok else { throw ValidationError("\(check)") }
        let proxy = StartingProxy(app: app, certificate: certificate, key: certificateKey, addresses: address)
        if let wrong = proxy.wrong { throw ValidationError(wrong) }
        let files = StartingFile.all(app, proxy)

        let folder = URL(filePath: out ?? ".")
        let places = files.map { folder.appending(path: $0.name).path }
        if !force, let there = places.first(where: { FileManager.default.fileExists(atPath: $0) }) {
            throw FileIsThere(path: there)
        }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (file, place) in zip(files, places) { try Data(file.text.utf8).write(to: URL(filePath: place), options: .atomic) }
        try say(app, files, places)
    }

    private func say(_ app: StartingApp, _ files: [StartingFile], _ places: [String]) throws {
        if form.json {
            let written = Written(
                sdkKey: app.sdkKey, files: zip(files, places).map { Written.File(path: $1, purpose: $0.purpose) })
            return try form.write(written)
        }
        for (file, place) in zip(files, places) { Output.line("\(place): \(file.purpose)") }
        Output.line("\nNext: landfall serve --config \(places[0])")
    }
}

struct FileIsThere: Error, CustomStringConvertible {
    let path: String

    var description: String { "'\(path)' is there already, and nothing was written. Name another folder with --out, or use --force." }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `landfall link` in a folder without a server.
@Suite("landfall link", .timeLimit(.minutes(2)))
struct LinkCommandTests {
    private static let configuration = """
        app: { id: example, bundleId: com.example.app, scheme: example }
        keys: [{ sdk: pk_test }]
        domains: { brand: [links.example.com], universal: [example.com] }
        paywalls: { default: { products: [year], defaultLocale: en, remoteConfig: { en: {} } } }
        placements: { onboarding: [{ audience: everyone, paywall: default }] }
        """

    private struct Shop {
        let folder: URL

        func run(_ words: String...) async throws -> (status: Int32, output: String, errors: String) {
            try await RunningCommand(
                ["link"] + words + ["--data", folder.appending(path: "data").path, "--config", folder.appending(path: "landfall.yaml").path]
            ).completion()
        }
    }

    private func withShop(_ body: (Shop) async throws -> Void) async throws {
        try await ServingProcess.withFolder { folder in
            try Data(Self.configuration.utf8).write(to: folder.appending(path: "landfall.yaml"))
            try await body(Shop(folder: folder))
        }
    }

    @Test("makes, lists, shows, changes, archives and removes a link")
    func life() async throws {
        try await withShop { shop in
            let link = "links.example.com/beach"
            let made = try await shop.run(
                "create", "https://example.com/a", "--suffix", "beach", "--campaign", "a+b c", "--tag", "summer", "--expires", "31.12.2099")
            #expect(made.status == 0 && made.output == "https://\(link)\n", "\(made.errors)")

            let listed = try await shop.run("list", "--campaign", "a+b c", "--tag", "summer")
            #expect(listed.output == "https://\(link) -> https://example.com/a live campaign=a+b c tags=summer\n", "\(listed.errors)")
            #expect(try await shop.run("list", "--query", "mountain").output == "")

            let changed = try await shop.run("change", link, "--channel", "mail", "--clear", "campaign", "--clear", "expires")
            #expect(changed.status == 0 && changed.output == "https://\(link)\n", "\(changed.errors)")
            let shown = try await shop.run("show", "https://\(link)")
            #expect(shown.output.contains("channel: mail\n") && shown.output.contains("tags: [\"summer\"]\n"))
            #expect(!shown.output.contains("campaign") && !shown.output.contains("expires"))

            #expect(try await shop.run("archive", link).status == 0)
            #expect(try await shop.run("list", "--state", "expired").output.hasPrefix("https://\(link) "))
            #expect(try await shop.run("remove", link).output == "https://\(link) removed\n")
            #expect(try await shop.run("remove", link).output == "https://\(link) was not there\n")
        }
    }

    @Test("An export is imported without a change")
    func roundTrip() async throws {
        try await withShop { shop in
            let table = shop.folder.appending(path: "links.csv").path
            _ = try await shop.run(
                "create", "https://example.com/a", "--suffix", "a", "--tag", "x", "--tag", "y", "--folder", "f", "--ios", "app", "--ios", "store",
                "--title", "=1,2", "--code", "--ppid", "45812c9b-c296-43d3-c6a0-c5a02f74bf6e", "--starts", "2098-01-01")
            _ = try await shop.run("create", "https://example.com/b", "--suffix", "b")

            let exported = try await shop.run("export", "--output", table)
            let imported = try await shop.run("import", table)

            #expect(exported.status == 0 && exported.output.isEmpty, "\(exported.errors)")
            #expect(imported.status == 0, "\(imported.errors)")
            #expect(imported.output == "0 link(s) made, 2 there already, 0 refused.\n")
        }
    }

    @Test("Columns that no link has are named on standard error, and do not stop the import")
    func remarks() async throws {
        try await withShop { shop in
            let table = shop.folder.appending(path: "links.csv").path
            try Data("Short link;Destination;Owner\nhttps://links.example.com/a;https://example.com/a;Maya\n".utf8).write(to: URL(filePath: table))

            let imported = try await shop.run("import", table)

            #expect(imported.status == 0 && imported.output == "1 link(s) made, 0 there already, 0 refused.\n")
            #expect(imported.errors.hasPrefix("\(table): The column 'Owner' is not imported.\n"))
        }
    }

    @Test("A file of another encoding is refused with the way to name it")
    func encoding() async throws {
        try await withShop { shop in
            let table = shop.folder.appending(path: "links.csv").path
            try (Data("to,campaign\nhttps://example.com/a,Fr".utf8) + [0xFC] + Data("hling\n".utf8)).write(to: URL(filePath: table))

            let refused = try await shop.run("import", table)
            let taken = try await shop.run("import", table, "--encoding", "latin-1")

            #expect(refused.status == 1 && refused.errors.contains("latin-1"))
            #expect(taken.status == 0, "\(taken.errors)")
            #expect(try await shop.run("list", "--campaign", "Frühling").output.isEmpty == false)
        }
    }

    @Test(
        "Wrong words end with one sentence",
        arguments: [
            (["change", "links.example.com/a"], 64, "Nothing would change."), (["change", "links.example.com/a", "--clear", "campain"], 64, "Did you mean 'campaign'?"),
            (["show", "not a link"], 64, "is invalid for '<link>'"), (["show", "links.example.com/nothing"], 1, "No link is at this address."),
            (["list", "--state", "gone"], 1, "'state' is not valid: live, scheduled, expired, file."), (["list", "--limit", "0"], 64, "--limit is 0"),
            (["create", "https://example.com/a", "--expires", "03/04/2026"], 64, "two different days"),
            (["create", "https://example.com/a", "--when", "country=DE"], 64, "--when has no to=ADDRESS"), (["import", "nothing.csv"], 64, "cannot be read"),
        ] as [([String], Int32, String)])
    func wrong(words: [String], status: Int32, sentence: String) async throws {
        try await withShop { shop in
            _ = try await shop.run("create", "https://example.com/a", "--suffix", "a")
            let arguments = words + ["--data", shop.folder.appending(path: "data").path, "--config", shop.folder.appending(path: "landfall.yaml").path]

            let ending = try await RunningCommand(["link"] + arguments).completion()

            #expect(ending.status == status && ending.errors.contains(sentence), "\(ending.errors)")
            #expect(ending.output.isEmpty)
        }
    }
}

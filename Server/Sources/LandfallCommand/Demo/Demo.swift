// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallServer
import LandfallSimulator
import LandfallWire
import Logging
import ServiceLifecycle

/// The demo's parts in order: simulated Apple Ads, server, phones.
struct Demo: Service {
    let configurationFile: String
    let port: ListeningPort
    /// How many days before today get first opens before the server starts.
    let days: Int
    /// Where phones in this machine's network reach it; nil listens for this machine alone.
    let nearby: NearbyAddress?
    let ends: Bool
    let json: Bool
    let logger: Logger
    private let host = "127.0.0.1"
    /// Browsers take names that end so for this machine. Under this one the server answers links, as under a brand domain.
    static let linkHost = "links.localhost"

    func run() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "landfall-demo-\(UUID().uuidString.lowercased())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }

        let board = LaunchBoard(), appStore = try DemoAppStore(in: folder)
        try await Listening.run({ report in
            AppleAdsSimulator(
                logger: logger, onListening: report, onAnswer: { board.appleAnswered(token: $0, status: $1) }
            )
        }) { applePort in
            let database = try SQLiteDatabase(path: folder.appending(path: "landfall.sqlite").path)
            if days > 0 {
                Output.remark("Adding the first opens and purchases of \(days) earlier days …")
                try await EarlierPeople(days: days, nowMs: Int64(Date().timeIntervalSince1970 * 1_000))
                    .arrive(in: database, configuration: String(contentsOfFile: configurationFile, encoding: .utf8), buyingIn: appStore)
            }
            var options = ServerOptions()
            options.configurationFile = configurationFile
            options.host = host
            options.appStoreRoot = appStore.rootFile
            options.linkHosts = [Self.linkHost: DemoLink.host]
            options.port = port.number
            // Its own listener: others in the network reach links, and neither the API nor the console.
            let (nearbyPorts, nearbyPort) = AsyncStream.makeStream(of: Int.self)
            if let nearby {
                options.linkHosts[nearby.text] = DemoLink.host
                options.linksListen = (nearby.text, port.number)
                options.onLinksListening = { nearbyPort.yield($0) }
            }
            options.appleAdsURL = Serving.address(host: host, port: applePort) + AppleAdsSimulator.path
            let (links, link) = AsyncStream.makeStream(of: String.self)
            options.announceConsole = { link.yield($0) }
            try await Listening.run({ [options] report in
                try await LandfallServer(options: options, database: database, logger: logger, onListening: report)
            }) { serverPort in
                // The link is there before the server listens, if it could be made.
                link.finish()
                nearbyPort.finish()
                let linksPort = await nearbyPorts.first { _ in true }
                let server = Serving.address(host: host, port: serverPort), console = await links.first { _ in true }
                let nearbyLink = nearby.flatMap { near in
                    linksPort.map { Serving.address(host: near.text, port: $0) + DemoLink.path }
                }
                let ownLink = Serving.address(host: Self.linkHost, port: serverPort) + DemoLink.path
                let sales = DemoSales(appStore: appStore, database: database, configurationFile: configurationFile, logger: logger)
                try await show(
                    board, sales, server: server, console: console.map { Self.near($0, server) }, ownLink: ownLink, nearbyLink: nearbyLink,
                    folder: folder)
            }
        }
    }

    /// The demo's server is on this machine, whatever hosts its configuration names.
    private static func near(_ link: String, _ server: String) -> String {
        link.range(of: "/console/").map { server + String(link[$0.lowerBound...]) } ?? link
    }

    private func show(
        _ board: LaunchBoard, _ sales: DemoSales, server: String, console: String?, ownLink: String, nearbyLink: String?, folder: URL
    ) async throws {
        let chart = LiveChart(board: board, to: json ? .standardError : .standardOutput)
        chart.say("listening on \(server)")
        if let console { chart.say("console: \(console)") }
        if let nearbyLink {
            chart.say("link: \(nearbyLink)", " Scan it with a phone in this network and look at Live in the console.")
            if let code = QRCode(nearbyLink) { chart.show(code) }
        } else {
            chart.say("link: \(ownLink)", " Open it in a browser of this machine and look at Live in the console: the tap is a row there.")
            chart.say(" With --lan there is also a QR code, for a phone of your own in this machine's network.")
        }
        guard let url = URL(string: server) else { throw DemoFailure.refused(server) }
        let bundle = try await DemoBundle.fetch(from: url)
        let run = DemoRun(server: url, directory: folder, board: board)

        chart.legend()
        await chart.show("First launch", number: 1) { await run.launch(1, bundle: bundle) }
        await chart.show("Second launch", number: 2) { await run.launch(2, bundle: bundle) }

        let (first, second) = (board.launches(number: 1).map(\.launch), board.launches(number: 2).map(\.launch))
        chart.summary([
            ("First launch", LaunchTotals(first, deadline: run.deadline)),
            ("Second launch", LaunchTotals(second, deadline: run.deadline)),
        ])
        let link = try await DemoLink(server: url, directory: folder).run()
        chart.say(["", " From a link that was tapped before the app was installed"] + link.lines)
        let (sale, table) = try await sales.show(on: url, folder: folder)
        chart.say(["", " From an ad to a refund"] + sale.lines + [""] + table.map { " " + $0 })
        if json {
            var report = DemoReport(server: server, deadline: run.deadline, launches: first + second)
            (report.link, report.sale) = (link, sale)
            report.console = console
            report.ownLink = ownLink
            report.nearbyLink = nearbyLink
            Output.line(String(decoding: try WireCoding.encode(report), as: UTF8.self))
        }
        guard !ends else { return }
        chart.say(["", DemoArrivals.line] + Invitation(server: server).lines)
        let arrivals = DemoArrivals(server: url, directory: folder, board: board, bundle: bundle)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await arrivals.run() }
            try await gracefulShutdown()
            tasks.cancelAll()
        }
    }
}

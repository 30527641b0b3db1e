// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import LandfallSimulator

/// `landfall app-store-simulator`.
struct AppStoreSimulatorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "app-store-simulator",
        abstract: "Simulates the App Store; each product id says how the purchase lives.",
        discussion: """
            It posts notifications to --notify, answers Apple's paths of the App Store
            Server API, and signs by an own root, which it writes to --root-out.

              POST /sim/purchases {"productId": "sim.trial=7d", "storefront": "USA",
                "priceMilliunits": 9990, "currency": "USD", "appAccountToken": "…"}
                (with "life": "sim.trial=7d" the product id is any)
              POST /sim/refunds {"transactionId": "…"}

            A product id is 'sim.' and a URL query. Lengths are 30s, 90min, 12h, 7d, 2w,
            1mo or 1y.

              type=subscription|consumable|nonconsumable|nonrenewing
              environment=Production|Sandbox|none
              period=30d  renewals=3   then the customer cancels
              trial=7d                 or intro=1mo, or offer=promotional|code|winback;
                                       offerPrice=MILLIUNITS  offerPeriods=N
              fail=N                   renewal N is not paid; grace=16d  graceDate=0
                                       recover=5d|never
              cancel=5d  resume=7d  resubscribe=20d  withdrawn=N
              upgrade=10d  downgrade=10d  to=PRODUCT  toPrice=MILLIUNITS  keep=12d
              redeem=5d  increase=5d  increaseTo=MILLIUNITS  accept=8d
              extend=5d  extendBy=14d  commitment=12
              refund=3d                refundForm=full|prorated|old  refundShare=67932
                                       reversed=2d  consumption=1d  declined=2d
              family=1  revoke=4d
              seats=8  addSeats=2d  refundSeats=4d  unclaim=5d
              quantity=3  priced=0     no price in the payload
              shuffle=1  repeat=2      notifications out of order, and again
              id=…                     only makes another product; so does one word
                                       without a value, as in sim.yearly&trial=7d

            Lengths count from the purchase; refund, consumption and declined from the
            first payment, reversed from the refund, resubscribe from the end. Anything
            else is refused (400).
            """
    )

    @Option(help: "The address to listen on (LANDFALL_HOST; 127.0.0.1).")
    var host: String?

    @Option(help: "The port to listen on; 0 picks a free one (LANDFALL_PORT; 8091).")
    var port: Int?

    @Option(help: "Where to post notifications: a server's /v1/app-store/notifications (LANDFALL_NOTIFY).")
    var notify: String?

    @Option(help: "The file for the root certificate, in PEM: for the server's --app-store-root (LANDFALL_ROOT_OUT).")
    var rootOut: String?

    @Option(help: "How many seconds a day of a purchase's life lasts, 0.001…86400 (LANDFALL_DAY; 86400).")
    var day: Double?

    @Option(help: "The same seed gives the same ids in the same order (LANDFALL_SEED; 1).")
    var seed: UInt64?

    @Option(help: "The app's bundle id, as in the server's configuration (LANDFALL_BUNDLE_ID; com.example.app).")
    var bundleID: String?

    @Option(help: "How many calls of Apple's paths an hour are answered; more get 429, as Apple's limits do (LANDFALL_CALLS_PER_HOUR; all).")
    var callsPerHour: Int?

    func run() async throws {
        let environment = FlagEnvironment()
        let host = host ?? environment.text("host") ?? "127.0.0.1"
        let port = try ListeningPort(try port ?? environment.number("port") ?? 8091)
        var options = AppStoreSimulator.Options(notify: try notifyURL(environment))
        options.host = host
        options.port = port.number
        options.day = .milliseconds(Int64((try dayLength(environment) * 1_000).rounded()))
        options.seed = try seed ?? environment.number("seed").map { UInt64(bitPattern: Int64($0)) } ?? options.seed
        options.callsPerHour = try callsPerHour ?? environment.number("calls-per-hour")
        if let calls = options.callsPerHour, calls < 0 { throw ValidationError("--calls-per-hour is \(calls); it has to be 0 or more.") }
        options.app.bundleID = bundleID ?? environment.text("bundle-id") ?? options.app.bundleID

        let chain = try SigningChain()
        let root = try RootFile(rootOut ?? environment.text("root-out"), pem: chain.root.pem)
        defer { root.remove() }
        let logger = try Serving.logger(environment)
        let simulator = AppStoreSimulator(
            options, chain: chain, logger: logger,
            onListening: { port in
                root.publish()
                Serving.announce(host: host, port: port)
            })
        try await port.explaining(host: host) { try await Serving.run(simulator, logger: logger) }
    }

    private func notifyURL(_ environment: FlagEnvironment) throws -> URL {
        guard let text = notify ?? environment.text("notify") else {
            throw ValidationError("--notify is missing. Write the server's address, such as http://127.0.0.1:8080/v1/app-store/notifications.")
        }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()), url.host()?.isEmpty == false else {
            throw ValidationError("--notify is '\(text)'; it has to be a URL such as http://127.0.0.1:8080/v1/app-store/notifications.")
        }
        return url
    }

    private func dayLength(_ environment: FlagEnvironment) throws -> Double {
        var seconds = day ?? 86_400
        if day == nil, let text = environment.text("day") {
            guard let number = Double(text) else { throw ValidationError("LANDFALL_DAY is '\(text)'; it has to be a number of seconds.") }
            seconds = number
        }
        guard (0.001...86_400).contains(seconds) else {
            throw ValidationError("--day is \(seconds); it has to be 0.001…86400 seconds. A real day is 86400.")
        }
        return seconds
    }
}

/// The root certificate for the server. It takes its name only when the simulator listens: a simulator that cannot start leaves the
/// file of another one alone.
private struct RootFile {
    private let path: String
    private var staged: String { path + ".new" }

    init(_ path: String?, pem: String) throws {
        guard let path else {
            throw ValidationError("--root-out is missing. Name a file for the root certificate; the server reads it with --app-store-root.")
        }
        self.path = path
        do {
            if (try? URL(filePath: path).resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true { throw CocoaError(.fileWriteFileExists) }
            try Data(pem.utf8).write(to: URL(filePath: staged))
        } catch {
            throw RootUnwritten(path: path, reason: error.localizedDescription)
        }
    }

    func publish() { _ = rename(staged, path) }
    func remove() { try? FileManager.default.removeItem(atPath: staged) }
}

private struct RootUnwritten: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String {
        "The root certificate cannot be written to '\(path)': \(reason) Choose a file in a folder that exists and may be written."
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Foundation

/// Phones that come one after the other after the demo's opening. A viewer of the console sees them arrive.
package struct DemoArrivals: Sendable {
    /// From the end of one arrival to the next one.
    static let pause = Duration.seconds(4)
    /// Arrivals of about half an hour, so that a demo that stays open does not fill the disk.
    static let most = 360

    /// What a phone does before its first open.
    enum Way: Hashable, Sendable {
        /// A link is tapped in a browser, and the app is installed from there.
        case link
        case phone(DemoPhone)

        /// The ways of the phones, in turn.
        static func of(_ number: Int) -> Way {
            switch number % 3 {
            case 0: .link
            case 1:
                .phone(DemoPhone("Apple Ads, later", tokenAfter: .milliseconds(90), apple: "attribution=true&delay=400", locale: "ja-JP"))
            default:
                .phone(DemoPhone("organic, later", tokenAfter: .milliseconds(120), apple: "attribution=false&delay=250", locale: "de-DE"))
            }
        }
    }

    private let server: URL
    private let directory: URL
    private let board: LaunchBoard
    private let bundle: Data

    /// - Parameters:
    ///   - directory: exists, and belongs to this run; each phone has a folder in it while it is there.
    ///   - bundle: the fallback file inside the app.
    package init(server: URL, directory: URL, board: LaunchBoard, bundle: Data) {
        self.server = server
        self.directory = directory
        self.board = board
        self.bundle = bundle
    }

    /// Lets phones arrive until ``most`` have arrived or the task is cancelled.
    package func run() async {
        for number in 0..<Self.most {
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
            await arrive(number)
        }
    }

    private func arrive(_ number: Int) async {
        let folder = directory.appending(path: "later-\(number)")
        guard (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil else { return }
        defer { try? FileManager.default.removeItem(at: folder) }
        switch Way.of(number) {
        case .link:
            // A phone that fails is skipped: the opening has shown already that a first open works.
            _ = try? await DemoLink(server: server, directory: folder).run()
        case .phone(let phone):
            await DemoRun([phone], server: server, directory: folder, board: board).launch(1, bundle: bundle)
        }
    }
}

extension DemoArrivals {
    /// For people.
    package static let line =
        " Phones keep arriving, one every few seconds for about half an hour: look at Live in the console."
}

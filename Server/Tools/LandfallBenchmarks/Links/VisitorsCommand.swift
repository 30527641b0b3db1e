// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import LandfallServer

/// For `script/check crawlers`: the kind of each user agent of a list.
struct VisitorsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "visitors", abstract: "Reads user agents from standard input, one a line, and prints the kind of each visitor.")

    func run() { while let agent = readLine() { print(LinkVisitor(agent).kind.rawValue) } }
}

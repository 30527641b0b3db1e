// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer
import LandfallSimulator

/// Shows launches while they happen: redrawn in place on a wide terminal, otherwise a line when each launch ends.
struct LiveChart {
    private let chart: TimelineChart
    private let board: LaunchBoard
    private let redraws: Bool
    /// 0 if there is no terminal.
    private let width: Int
    private let hasColours: Bool
    private let file: FileHandle

    /// - Parameter file: standard output, or standard error if standard output is for a program.
    init(board: LaunchBoard, to file: FileHandle) {
        let environment = ProcessInfo.processInfo.environment
        let isTerminal = isatty(file.fileDescriptor) == 1 && environment["TERM"] != "dumb"
        hasColours = isTerminal && environment["NO_COLOR", default: ""].isEmpty
        width = isTerminal ? Self.width(of: file) : 0
        self.chart = TimelineChart(hasColours: hasColours)
        self.board = board
        self.redraws = width >= 100
        self.file = file
    }

    func say(_ lines: String...) { say(lines) }

    func say(_ lines: [String]) { Output.write(lines.map { $0 + "\n" }.joined(), to: file) }

    func legend() { say("", chart.legend()) }

    func summary(_ rows: [(title: String, totals: LaunchTotals)]) { say([""] + chart.summary(rows)) }

    /// Shows a QR code where it fits. White on black, whatever the terminal's colours are: some cameras read nothing else.
    func show(_ code: QRCode) {
        let lines = code.halfBlocks
        guard let first = lines.first, first.count <= width else { return }
        say(lines.map { hasColours ? "\u{1B}[97;40m\($0)\u{1B}[0m" : $0 })
    }

    /// Shows the launches with that number until all of them have ended and `launching` has returned.
    func show(_ title: String, number: Int, while launching: @Sendable @escaping () async -> Void) async {
        say("", chart.heading(title))
        let drawing = Task { redraws ? await redraw(number) : await append(number) }
        await launching()
        drawing.cancel()
        await drawing.value
    }

    /// Ten pictures a second, each over the one before.
    private func redraw(_ number: Int) async {
        var height = 0
        var isLast = false
        repeat {
            isLast = (try? await Task.sleep(for: .milliseconds(100))) == nil
            let lines = board.launches(number: number).map { chart.line($0.launch, now: $0.launch.isOver ? nil : $0.age) }
            let up = height > 0 ? "\u{1B}[\(height)A" : ""
            Output.write(up + lines.map { "\u{1B}[2K" + $0 + "\n" }.joined(), to: file)
            height = lines.count
        } while !isLast
    }

    /// Each launch once, in the order in which they end.
    private func append(_ number: Int) async {
        var said: Set<String> = []
        var isLast = false
        repeat {
            isLast = (try? await Task.sleep(for: .milliseconds(50))) == nil
            for (launch, _) in board.launches(number: number) where launch.isOver && said.insert(launch.phone).inserted {
                say(chart.line(launch))
            }
        } while !isLast
    }

    private static func width(of file: FileHandle) -> Int {
        var size = winsize()
        return ioctl(file.fileDescriptor, UInt(TIOCGWINSZ), &size) == 0 ? Int(size.ws_col) : 0
    }
}

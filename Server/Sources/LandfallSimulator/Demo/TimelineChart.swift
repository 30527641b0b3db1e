// SPDX-License-Identifier: Apache-2.0

/// The demo's picture: a heading with the scale, a line for each launch, and a summary. At most 100 columns wide.
package struct TimelineChart: Hashable, Sendable {
    let timeline: Timeline
    /// Escape sequences for a terminal; without them the text is plain.
    let hasColours: Bool

    package init(timeline: Timeline = Timeline(), hasColours: Bool = false) {
        self.timeline = timeline
        self.hasColours = hasColours
    }

    package func heading(_ title: String) -> String {
        let text = " \(padded(title, 20))\(timeline.scale())  paywall   from    after  req."
        return paint(text, .heading)
    }

    package func legend() -> String {
        let marks: [(Character, Timeline.Ink, String)] = [
            ("○", .token, "ad token on the phone"), ("◆", .answer, "Apple answers"), ("✕", .refusal, "404 or 500"),
            ("●", .targeted, "paywall"), ("┊", .faint, "deadline"),
        ]
        return " " + marks.map { paint(String($0.0), .ink($0.1)) + " " + $0.2 }.joined(separator: "   ")
    }

    /// - Parameter now: the present time; nil when the launch is over.
    package func line(_ launch: Launch, now: Duration? = nil) -> String {
        var text = " " + padded(launch.phone, 20)
        for cell in timeline.cells(launch, now: now) {
            text += cell.character == " " ? " " : paint(String(cell.character), .ink(cell.ink))
        }
        guard let outcome = launch.outcome else { return text }
        let name = padded(outcome.paywall ?? "none", 9)
        text += "  " + paint(name, .ink(outcome.isTargeted ? .targeted : outcome.paywall == nil ? .missing : .ordinary))
        text += " " + padded(Self.shortOrigin[outcome.origin] ?? outcome.origin, 6)
        text += " " + padded(Self.seconds(outcome.elapsed), 6, toTheRight: true)
        text += "  " + padded("\(outcome.requests)", 3, toTheRight: true)
        return text
    }

    package func summary(_ rows: [(title: String, totals: LaunchTotals)]) -> [String] {
        let heads = [("opens", 7), ("targeted", 10), ("late", 6), ("median", 9), ("longest", 9), ("requests per open", 19)]
        let heading = " " + padded("", 16) + heads.map { padded($0.0, $0.1, toTheRight: true) }.joined()
        return [paint(heading, .heading)]
            + rows.map { title, totals in
                let cells = [
                    "\(totals.opens)", "\(totals.targeted)", "\(totals.late)", Self.seconds(totals.median),
                    Self.seconds(totals.longest), Self.decimal(totals.requestsPerOpen, places: 2),
                ]
                return " " + padded(title, 16) + zip(cells, heads).map { padded($0, $1.1, toTheRight: true) }.joined()
            }
    }

    private static let shortOrigin = [
        "matchingAudience": "server", "defaultAudience": "server", "cache": "cache", "bundled": "bundle", "none": "–",
    ]

    static func seconds(_ time: Duration) -> String {
        let (seconds, attoseconds) = time.components
        return decimal(Double(seconds) + Double(attoseconds) / 1e18, places: 2) + " s"
    }

    static func decimal(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1) { product, _ in product * 10 }
        let units = Int((value * Double(scale)).rounded())
        let fraction = String(units % scale)
        return "\(units / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    private func padded(_ text: String, _ width: Int, toTheRight: Bool = false) -> String {
        let blanks = String(repeating: " ", count: max(0, width - text.count))
        return toTheRight ? blanks + text : text + blanks
    }

    private enum Style {
        case heading
        case ink(Timeline.Ink)
    }

    private func paint(_ text: String, _ style: Style) -> String {
        guard hasColours else { return text }
        let code =
            switch style {
            case .heading: "1"
            case .ink(.plain), .ink(.ordinary): "0"
            case .ink(.faint): "2"
            case .ink(.token): "36"
            case .ink(.answer): "33"
            case .ink(.refusal), .ink(.missing): "31"
            case .ink(.targeted): "1;32"
            }
        return code == "0" ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}

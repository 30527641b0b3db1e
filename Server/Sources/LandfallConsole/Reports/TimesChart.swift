// SPDX-License-Identifier: Apache-2.0
import LandfallReports

/// How long people waited for their paywalls, beside the deadline of the app: a bar for each step of a quarter, as days count them. The server
/// does not know the deadline, which is a part of the app's own calls: the line is at the usual one until a reader names another.
struct TimesChart {
    private static let width = 920, height = 200

    let times: ElapsedTimes
    let query: ReportQuery

    private var deadlineMs: Int64 { Int64(query.deadline) * 1000 }

    /// From the first time to the last one, with the deadline between them.
    private var shown: ArraySlice<ElapsedTimes.Bucket> {
        let all = times.buckets, deadline = all.lastIndex { $0.startMs <= deadlineMs } ?? 0
        let first = all.firstIndex { $0.count > 0 } ?? deadline, last = all.lastIndex { $0.count > 0 } ?? deadline
        return all[min(first, deadline)...max(last, deadline)]
    }

    func html(_ words: Words) -> HTML {
        let shown = shown, deadline = words.language.seconds(Double(deadlineMs))
        return section(.class("block")) {
            h2 { words.timeToPaywall }
            figure(.class("chart")) {
                div(.class("plot")) {
                    drawing(shown, words)
                    p(.class("ends"), Attribute("aria-hidden", "true")) {
                        span { time(shown.first?.startMs, words) }
                        span { shown.last?.endMs.map { time($0, words) } ?? "> " + time(shown.last?.startMs, words) }
                    }
                }
                figcaption {
                    span(.class("key now")) { words.column("exposures") }
                    span(.class("key epoch")) { words.deadline(deadline) }
                    span { finding(words) }
                }
                details {
                    summary { words.asTable }
                    rows(shown, words)
                }
            }
            form(.action(Place("/console/reports", [query.report.rawValue])), Attribute("method", "get"), .class("dates")) {
                Field(name: "deadline", title: words.deadlineField, type: "number", value: "\(query.deadline)", hint: words.deadlineHint).html
                for (name, value) in query.with({ $0.deadline = ReportQuery.usualDeadline }).pairs {
                    if let value { input(.type("hidden"), Attribute("name", name), .value(value)) }
                }
                button { words.drawDeadline }
            }
        }
    }

    private func finding(_ words: Words) -> String {
        let share = words.language.share(times.share(withinMs: deadlineMs)), time = words.language.seconds(Double(deadlineMs))
        return words.withinDeadline(share, of: words.language.count(times.count), time)
    }

    private func drawing(_ shown: ArraySlice<ElapsedTimes.Bucket>, _ words: Words) -> HTML {
        let step = Double(Self.width) / Double(shown.count), most = Double(shown.map(\.count).max() ?? 1)
        return svg(
            Attribute("viewBox", "0 0 \(Self.width) \(Self.height)"), Attribute("preserveAspectRatio", "none"), Attribute("role", "img"),
            Attribute("aria-labelledby", "times-title times-desc")
        ) {
            title(.id("times-title")) { words.timeToPaywall }
            desc(.id("times-desc")) { finding(words) }
            path(.class("grid"), Attribute("d", "M0 \(Self.height)h\(Self.width)")) {}
            for (index, bucket) in shown.enumerated() where bucket.count > 0 {
                let height = max(1, Double(bucket.count) / most * Double(Self.height))
                rect(
                    .class("now"), Attribute("x", DayChart.coordinate((Double(index) + 0.06) * step)),
                    Attribute("y", DayChart.coordinate(Double(Self.height) - height)), Attribute("width", DayChart.coordinate(step * 0.88)),
                    Attribute("height", DayChart.coordinate(height))
                ) { title { range(bucket, words) + words.colon + words.language.count(bucket.count) } }
            }
            path(.class("epoch"), Attribute("d", "M\(DayChart.coordinate(place(in: shown) * step)) 0v\(Self.height)")) {}
        }
    }

    /// Of the deadline, in bars from the left.
    private func place(in shown: ArraySlice<ElapsedTimes.Bucket>) -> Double {
        guard let index = shown.lastIndex(where: { $0.startMs <= deadlineMs }) else { return 0 }
        let bucket = shown[index], bars = Double(index - shown.startIndex)
        return bars + (bucket.endMs.map { Double(deadlineMs - bucket.startMs) / Double($0 - bucket.startMs) } ?? 0)
    }

    private func rows(_ shown: ArraySlice<ElapsedTimes.Bucket>, _ words: Words) -> HTML {
        scrollingTable(
            words.timeToPaywall, caption: words.timeToPaywall, titles: [words.time], numbers: [words.column("exposures"), words.upToHere]
        ) {
            for bucket in shown {
                tr {
                    th(.class("nowrap"), Attribute("scope", "row")) { range(bucket, words) }
                    td(.class("number")) { words.language.count(bucket.count) }
                    td(.class("number")) { bucket.endMs.map { words.language.share(times.share(withinMs: $0)) } ?? words.language.share(1) }
                }
            }
        }
    }

    private func range(_ bucket: ElapsedTimes.Bucket, _ words: Words) -> String {
        bucket.endMs.map { time(bucket.startMs, words) + " – " + time($0, words) } ?? "> " + time(bucket.startMs, words)
    }

    private func time(_ milliseconds: Int64?, _ words: Words) -> String { words.language.seconds(Double(milliseconds ?? 0)) }
}

extension Words {
    func deadline(_ time: String) -> String { translate("Deadline: \(time)") }
    var deadlineField: String { translate("Deadline in seconds") }
    var deadlineHint: String { translate("The app names it in its own call; without one it is 5 seconds.") }
    var drawDeadline: String { translate("Draw the line") }
    var upToHere: String { translate("Up to here") }
    func withinDeadline(_ share: String, of count: String, _ time: String) -> String { translate("\(share) of \(count) exposures came within \(time)") }
}

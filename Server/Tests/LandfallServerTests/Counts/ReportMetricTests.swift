// SPDX-License-Identifier: Apache-2.0
import LandfallWire
import Testing

@testable import LandfallConsole
@testable import LandfallNode
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer

@Suite("The metrics of reports", .timeLimit(.minutes(1)))
struct ReportMetricTests {
    private static let rules: RollupRules = {
        var configuration = Configuration.sample()
        configuration.metrics = ["trial", "other"].map { Metric(name: $0, measure: .event(Event.Kind($0))) }
        return RollupRules(Snapshot(configuration, revision: 1))
    }()

    private static let layouts =
        RollupDimensions.allCases.map { $0.layout(rules) } + [LinkReport.layout, PaywallReport.layout(3), ReportCohort.layout(3), ReportCohort.layout(0)]

    @Test("Each metric of a row has an index of its own, and others have none", arguments: layouts)
    func indices(layout: MetricLayout) {
        #expect(layout.metrics.map { layout.index(of: $0) } == Array(layout.metrics.indices))
        let others = Set(Self.layouts.flatMap(\.metrics)).subtracting(layout.metrics)
        #expect(!others.isEmpty && others.allSatisfy { layout.index(of: $0) == nil })
    }

    @Test("The counts of days stay where texts have them: new ones are at the end")
    func stored() {
        let installs: [ReportMetric] = [
            .firstOpens, .attributed, .late, .shown, .organic, .converted(0), .converted(1), .reinstalls, .unverified,
        ]
        for table in RollupDimensions.allCases where table != .retention { #expect(table.layout(Self.rules).metrics.prefix(9) == installs[...]) }
        #expect(RollupDimensions.retention.layout(Self.rules).metrics.prefix(3) == [.size, .watched, .seen(0)])
        #expect(PaywallReport.layout(1).metrics.prefix(6) == [.shown, .exposures, .attributed, .late, .converted(0), .elapsed(bucket: 0)])
        #expect(PaywallReport.layout(1).converted == 4..<5 && RollupDimensions.retention.layout(Self.rules).converted == nil)
    }

    @Test("A metric of the configuration is found in days that have it at another number, and not in days without it")
    func moved() {
        let asked = ReportCohort.layout(2), days = RollupDimensions.whole.layout(Self.rules)

        let indices = asked.indices(in: days, [1, nil])

        #expect(indices[asked[.converted(0)]] == days[.converted(1)] && indices[asked[.converted(1)]] == nil)
        #expect(indices[asked[.unverified]] == days[.unverified] && indices[asked[.unknown]] == nil)
    }

    @Test("Every column of every report has a definition, and a title and a definition in each language of the console", arguments: ReportKind.allCases)
    func columns(kind: ReportKind) async throws {
        try await TestServer.run { server in
            let (reports, snapshot) = (server.services.reports, server.services.snapshot)
            let moment = try await reports.moment(snapshot)
            let request = try ReportRequest(kind, by: [], try moment.days(7, endingOn: moment.today))

            let document = try await reports.answer(request, snapshot, at: moment).document()

            #expect(!document.columns.isEmpty && Set(document.columns.map(\.name)).count == document.columns.count)
            for column in document.columns {
                #expect(!column.name.isEmpty && !column.definition.isEmpty)
                for language in Language.allCases { #expect(Words(language).column(column.name) != column.name, "\(column.name)") }
                // The grid of retention explains its columns together.
                guard kind != .retention else { continue }
                for language in Language.allCases where language != .english {
                    let definition = Words(language).definition(of: column.name, english: "")
                    #expect(!definition.isEmpty, "\(column.name)")
                }
            }
        }
    }
}

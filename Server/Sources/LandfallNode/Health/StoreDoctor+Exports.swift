// SPDX-License-Identifier: Apache-2.0
import LandfallReports
import LandfallRules
import LandfallServer
import LandfallStore

/// Whether the files of the configuration are written.
extension StoreDoctor {
    /// Nil without a section `exports`.
    func exports(of configuration: Configuration, nowMs: Int64 = ServerTime.live.nowMs()) async -> DoctorFinding? {
        guard let schedule = configuration.exports else { return nil }
        let app = configuration.app.id
        guard let read = try? await database.read({ try DailyExportProgress(of: app, $0) }), read.series == schedule.series else {
            return .good("exports", "The first files of 'exports' are written some minutes after the server's start.")
        }
        let last = read.day.map { " The last whole day is \(ReportDays.text($0))." } ?? " No day is whole yet."
        if let sinceMs = read.failingSinceMs {
            return .bad(
                "exports", "The files of 'exports' cannot be written since \(Instant(milliseconds: sinceMs)): \(read.detail ?? "no reason is known").\(last)",
                fix: "Correct the place or its keys; the server tries again each hour, and makes up for \(DailyExportProgress.mostDays) days.")
        }
        let behind = read.daysBehind(schedule, nowMs: nowMs)
        guard behind > 1 else { return .good("exports", "The files of 'exports' are written.\(last)") }
        return .bad(
            "exports", "The files of 'exports' are \(behind) days behind.\(last)", fix: "Start a server on this store; look at its log for 'exports'.")
    }
}

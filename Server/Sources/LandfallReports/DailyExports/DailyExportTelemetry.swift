// SPDX-License-Identifier: Apache-2.0
import LandfallRules
import LandfallServer
package import Logging
package import Metrics

/// Metrics and log lines about the files of the configuration. A failure is logged when it begins and when it ends.
package struct DailyExportTelemetry: Sendable {
    private let logger: Logger
    private let factory: any MetricsFactory

    package init(logger: Logger, factory: any MetricsFactory) { (self.logger, self.factory) = (logger, factory) }

    func looked(behind days: Int64 = 0, isFailing: Bool = false) {
        Gauge(label: "landfall_export_days_behind", factory: factory).record(days)
        failing(isFailing)
    }

    func wrote(_ file: ExportManifest.File) {
        let table = [("table", file.table.rawValue)]
        Counter(label: "landfall_export_files_total", dimensions: table, factory: factory).increment()
        Counter(label: "landfall_export_rows_total", dimensions: table, factory: factory).increment(by: file.rows)
    }

    func ended(_ manifest: ExportManifest) {
        logger.info(
            "The files of a day are exported.",
            metadata: ["export.day": "\(manifest.until)", "export.files": "\(manifest.files.count)", "export.rows": "\(manifest.rows)"])
    }

    func left(_ days: Int64) {
        logger.error(
            "Days are not exported any more, because they are too long ago. Write their files with 'landfall export-data'.",
            metadata: ["export.days": "\(days)"])
    }

    func failed(_ error: any Error, isNew: Bool) {
        let reason =
            switch error {
            case let failure as S3Failure: failure.kind.rawValue
            case is S3AccessError: "access"
            case is ExportFileError: "file"
            default: "other"
            }
        Counter(label: "landfall_export_failures_total", dimensions: [("reason", reason)], factory: factory).increment()
        failing(true)
        guard isNew else { return }
        logger.warning(
            "The files of 'exports' cannot be written; they are tried again each hour, and nothing else waits.",
            metadata: ["export.reason": "\(reason)", "error.text": "\(error)"])
    }

    func worksAgain() { logger.notice("The files of 'exports' are written again.") }

    private func failing(_ isFailing: Bool) { Gauge(label: "landfall_export_failing", factory: factory).record(isFailing ? 1 : 0) }
}

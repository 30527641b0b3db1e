// SPDX-License-Identifier: Apache-2.0
import Logging
import Metrics

/// Metrics and log lines of background work. Neither contains a job's key: it may identify a person.
struct JobTelemetry: Sendable {
    let logger: Logger
    let factory: any MetricsFactory

    /// - Parameter outcome: `done`, `again`, `failed` or `given_up`.
    private func count(_ kind: JobKind, _ outcome: String) {
        Counter(label: "landfall_jobs_total", dimensions: [("kind", kind.rawValue), ("outcome", outcome)], factory: factory)
            .increment()
    }

    func ended(_ job: Job, _ step: JobStep) {
        let outcome =
            switch step {
            case .done, .moved(isDone: true): "done"
            case .again: "again"
            case .retry, .moved(isDone: false): "failed"
            }
        count(job.name.kind, outcome)
    }

    /// From a node that is silent.
    func took(_ job: Job) {
        logger.notice(
            "Another node is silent, so this one does a job of it that a phone waits for.", metadata: ["job.kind": "\(job.name.kind.rawValue)"])
    }

    func failed(_ job: Job, _ error: any Error, isLast: Bool) {
        count(job.name.kind, isLast ? "given_up" : "failed")
        let metadata: Logger.Metadata = [
            "job.kind": "\(job.name.kind.rawValue)", "job.attempts": "\(job.attempts)", "error.text": "\(error)",
        ]
        if isLast {
            logger.error("A job failed as often as it may, and is given up.", metadata: metadata)
        } else {
            logger.warning("A job failed; it is tried again later.", metadata: metadata)
        }
    }

    func storeFailed(_ error: any Error) {
        Counter(label: "landfall_job_store_failures_total", factory: factory).increment()
        logger.error("The queue of jobs cannot reach its store; trying again.", metadata: ["error.text": "\(error)"])
    }
}

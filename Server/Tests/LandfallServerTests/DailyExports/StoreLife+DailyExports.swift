// SPDX-License-Identifier: Apache-2.0
@testable import LandfallReports
@testable import LandfallRules
@testable import LandfallServer
@testable import LandfallStore

extension StoreLife {
    /// A file, a whole day, and a failure.
    static func dailyExports(_ store: TestStore) async throws {
        let now = TestStore.noon, app = TestStore.app
        let file = ExportManifest.File(name: "it's", table: .clicks, day: "2026-11-28", rows: 1, bytes: 2, sha256: "a", form: 1)
        var progress = DailyExportProgress(series: "jsonl s3://files/it's")
        let steps: [(inout DailyExportProgress) -> Void] = [
            { $0.wrote(file, nowMs: now) }, { $0.ended(now / Retention.dayMs - 1, nowMs: now) },
            { $0.failed(S3Failure(.refused, "it's \"403\""), nowMs: now) },
        ]
        for step in steps {
            step(&progress)
            let writing = try progress.writing(app)
            try await store.database.write(.bulk, locking: []) { _ = try $0.run(writing) }
            let read = try await store.database.read { try DailyExportProgress(of: app, $0) }
            guard read == progress else { throw DatabaseError.failed("the progress of exports is read as it was not written") }
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallConsole
import LandfallReports
import LandfallServer
package import LandfallStore

/// Every migration, in the order in which they run. New ones are added at the end; no migration is ever edited.
package enum Schema {
    package static let migrations: [Migration] = [
        InstallSchema.created,
        AttributionSchema.created,
        AppleAdsSchema.created,
        EventSchema.created,
        ConfigurationSchema.created,
        LinkSchema.created,
        DeferredSchema.created,
        JobSchema.created,
        ErasureSchema.created,
        RetentionSchema.created,
        ExperimentSchema.created,
        BackupMade.created,
        RollupSchema.created,
        ConsoleSchema.created,
        PurchasesSchema.created,
        AppleAdsReportsSchema.created,
        ChargeDaySchema.created,
        ButtonTapSchema.created,
        LinkSchema.clickContext,
        RollupSchema.clickContext,
        ExperimentSchema.byTime,
        WebhookSchema.created,
        WebhookSchema.kept,
        DailyExportSchema.created,
        AlertSchema.created,
        OpenIDSchema.created,
        ConfigurationSchema.byTime,
    ]

    /// For commands that work on a store of any release without bringing it to this one's schema.
    /// - Throws: ``DatabaseError/schemaIsUnreleased(_:)``.
    package static func checkRelease(of store: any StoreExamining) async throws {
        // What cannot be read is found by what follows.
        guard let applied = try? await store.appliedMigrations() else { return }
        try Migration.checkRelease(migrations, applied: applied)
    }
}

// SPDX-License-Identifier: Apache-2.0
import LandfallConsole
import LandfallReports
import LandfallServer
import LandfallStore

/// Every migration, in the order in which they run. New ones are added at the end; no migration is ever edited.
enum Schema {
    static let migrations: [Migration] = [
        InstallSchema.created,
        RequestKeySchema.created,
        AttributionSchema.created,
        AppleAdsSchema.created,
        EventSchema.created,
        ConfigurationSchema.created,
        AttributionSchema.links,
        LinkSchema.created,
        DeferredSchema.byInstall,
        DeferredSchema.byAddress,
        DeferredSchema.byTime,
        EventSchema.keyedByReceipt,
        JobSchema.created,
        InstallSchema.foundByNames,
        ErasureSchema.created,
        RetentionSchema.byTime,
        JobSchema.freshFirst,
        AppleAdsSchema.openOnesAreJobs,
        InstallSchema.withoutNames,
        EventSchema.own,
        ConfigurationSchema.authored,
        InstallSchema.models,
        EventSchema.keeping,
        ExperimentSchema.units,
        ExperimentSchema.epochs,
        MemberSchema.created,
        RollupSchema.created,
        ExperimentResultsSchema.found,
        ExperimentResultsSchema.origins,
        BackupMade.migration,
        KeyUseStore.migration,
        RollupSchema.activity,
        RollupSchema.clickDays,
        ProfileSearchSchema.newest,
        RollupSchema.texts,
        EventSchema.elapsed,
        MemberSchema.forms,
        SetupHiding.migration,
        InstallSchema.firstVersions,
        ExperimentSchema.withoutFacts,
        DeferredSchema.byClick,
        ConfigurationSchema.withoutEndedTexts,
        BackupMade.named,
        RetentionClock.migration,
    ]
}

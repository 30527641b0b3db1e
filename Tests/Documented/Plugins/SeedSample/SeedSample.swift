// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Puts the documented sample, as it stands in the seed, beside the target's own sources.
///
/// The seed is not part of this repository: it is `../shared/seeds/001….txt` beside it, or in the folder that the
/// environment variable `LANDFALL_SEEDS` names. Without it the target gets a source that says so. A target named for links
/// gets the snippets of `003….txt`, put into `Snippets.template`; the others get the lines around the sample too, put into
/// `Steps.template`.
@main
struct SeedSample: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let isForLinks = target.name.hasPrefix("DocumentedLinks")
        let seed = seed(isForLinks ? "003" : "001", in: seeds(besideRepositoryOf: context.package.directoryURL))
        let folder = context.package.directoryURL.appending(path: "Sources/DocumentedLinks")
        let templates = isForLinks ? ["Snippets.template", "Absent.template"].map { folder.appending(path: $0) } : []
        let outputs = ["Sample.swift", "SamplePresence.swift"].map { context.pluginWorkDirectoryURL.appending(path: $0) }
        let extractor = try context.tool(named: "SeedExtractor").url
        let sample: [Command] = [
            .buildCommand(
                displayName: "Reading the documented sample",
                executable: extractor,
                arguments: [seed?.path(percentEncoded: false) ?? ""]
                    + (outputs + templates).map { $0.path(percentEncoded: false) },
                inputFiles: (seed.map { [$0] } ?? []) + templates,
                outputFiles: outputs
            )
        ]
        if isForLinks { return sample }
        let steps = ["Steps.template", "StepsAbsent.template"].map {
            context.package.directoryURL.appending(path: "Sources/DocumentedSample").appending(path: $0)
        }
        let output = context.pluginWorkDirectoryURL.appending(path: "Steps.swift")
        return sample + [
            .buildCommand(
                displayName: "Reading the lines around the documented sample",
                executable: extractor,
                arguments: ["--steps", seed?.path(percentEncoded: false) ?? ""]
                    + ([output] + steps).map { $0.path(percentEncoded: false) },
                inputFiles: (seed.map { [$0] } ?? []) + steps,
                outputFiles: [output]
            )
        ]
    }

    private func seeds(besideRepositoryOf package: URL) -> URL {
        ProcessInfo.processInfo.environment["LANDFALL_SEEDS"].map { URL(filePath: $0, directoryHint: .isDirectory) }
            ?? package.appending(path: "../../../shared/seeds", directoryHint: .isDirectory).standardizedFileURL
    }

    private func seed(_ number: String, in folder: URL) -> URL? {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.first { $0.lastPathComponent.hasPrefix(number) && $0.pathExtension == "txt" }
    }
}

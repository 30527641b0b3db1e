// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallWire

/// `POST /v1/configuration/reload`, for commands only: reads the node's own file again, as SIGHUP does, and answers with the result.
package struct ReloadRoutes: Sendable {
    package static let path = PublishingRoutes.path + "/reload"

    package struct Reloaded: Codable { let version: Int64 }

    package let publishing: ConfigurationPublisher

    package init(publishing: ConfigurationPublisher) {
        self.publishing = publishing
    }

    @Sendable package func reload(_ request: Request, context: AppContext) async throws -> Answer<Reloaded> {
        switch await publishing.publishFile() {
        case .served(let version), .kept(let version, .publishedSince(isFileChanged: false)): return Answer(Reloaded(version: version))
        case .kept(let version, .replaced(let earlier)):
            throw RequestError(
                .configurationStale,
                "The file is version \(earlier), which a later file has replaced; version \(version) is served. Give every node the same file, or publish this one with 'landfall apply'.")
        case .kept(let version, .publishedSince(isFileChanged: true)):
            throw RequestError(
                .configurationStale,
                "The file changed, but somebody has published version \(version) since, and that version is served. Publish the file with 'landfall apply', or serve with --config-owner file.")
        case .refused(let reason):
            throw RequestError(.configurationInvalid, "The file was not published; the served version stays. \(reason)")
        case .noFile:
            throw RequestError(
                .notFound, "This server has no configuration file to read again. Start it with --config, or publish with 'landfall apply'.")
        }
    }
}

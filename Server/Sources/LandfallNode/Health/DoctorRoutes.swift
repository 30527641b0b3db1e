// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallServer
import LandfallStore

/// `/v1/doctor`, for commands only: the server that holds the store examines it.
struct DoctorRoutes: Sendable {
    let database: any Database
    let configuration: LiveConfiguration
    let connections: Connections
    /// A check of the whole store ends with the server's stop.
    let draining: Draining

    @Sendable func examine(_ request: Request, context: AppContext) async throws -> Answer<[DoctorFinding]> {
        let whole = request.uri.queryParameters["whole"] == "true"
        let doctor = StoreDoctor(database, knowsSecrets: true)
        guard whole else { return Answer(await doctor.findings(whole: false) + own) }
        let found = try await draining.ending {
            let findings = await doctor.findings(whole: true)
            // A finding about a read that was cancelled says nothing about the store.
            try Task.checkCancellation()
            return findings
        }
        return Answer(found + own)
    }

    /// Findings that only the running server can make.
    private var own: [DoctorFinding] {
        let limits = DoctorFinding.openFiles(ProcessLimits.openFiles, of: "The server", connections: connections.most)
        guard let refusal = configuration.fileRefusal else { return [limits] }
        let message = "The server's configuration file was refused, and version \(configuration.snapshot.revision) is served: \(refusal)"
        return [limits, .bad("file", message, fix: "Correct the file ('landfall check' says the same), then 'landfall reload'.")]
    }

    /// `/v1/doctor/subject`: what the newest version promises.
    @Sendable func subject(_ request: Request, context: AppContext) async throws -> Answer<DoctorSubject> {
        guard let subject = await StoreDoctor(database, knowsSecrets: true).subject() else { throw RequestError.notFound }
        return Answer(subject)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallDatabase

/// `/v1/doctor`, for commands only: the server that holds the store examines it.
struct DoctorRoutes: Sendable {
    let database: any Database
    /// A check of the whole store ends with the server's stop.
    let leaving: Leaving

    @Sendable func examine(_ request: Request, context: AppContext) async throws -> Answer<[DoctorFinding]> {
        let whole = request.uri.queryParameters["whole"] == "true"
        let doctor = StoreDoctor(database, knowsSecrets: true)
        guard whole else { return Answer(await doctor.findings(whole: false)) }
        return Answer(
            try await leaving.ending {
                let findings = await doctor.findings(whole: true)
                // A finding about a read that was cancelled says nothing about the store.
                try Task.checkCancellation()
                return findings
            })
    }

    /// `/v1/doctor/subject`: what the newest version promises.
    @Sendable func subject(_ request: Request, context: AppContext) async throws -> Answer<DoctorSubject> {
        guard let subject = await StoreDoctor(database, knowsSecrets: true).subject() else { throw RequestError.notFound }
        return Answer(subject)
    }
}

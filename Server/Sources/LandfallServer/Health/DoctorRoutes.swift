// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallDatabase

/// `/v1/doctor`, for commands only: the server that holds the store examines it.
struct DoctorRoutes: Sendable {
    let database: any Database

    @Sendable func examine(_ request: Request, context: AppContext) async throws -> Answer<[DoctorFinding]> {
        let whole = request.uri.queryParameters["whole"] == "true"
        return Answer(await StoreDoctor(database, knowsSecrets: true).findings(whole: whole))
    }

    /// `/v1/doctor/subject`: what the newest version promises.
    @Sendable func subject(_ request: Request, context: AppContext) async throws -> Answer<DoctorSubject> {
        guard let subject = await StoreDoctor(database, knowsSecrets: true).subject() else { throw RequestError.notFound }
        return Answer(subject)
    }
}

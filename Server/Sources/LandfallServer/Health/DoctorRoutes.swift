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
}

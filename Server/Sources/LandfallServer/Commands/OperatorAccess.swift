// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// Gives the owner of the store's folder every right of a backend. Only on routers that no network reaches.
struct OperatorAccess: RouterMiddleware {
    let configuration: LiveConfiguration

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.snapshot = configuration.snapshot
        context.caller = Caller(app: context.snapshot.app.id, credential: nil, isOperator: true, seesPeople: true)
        return try await next(request, context)
    }
}

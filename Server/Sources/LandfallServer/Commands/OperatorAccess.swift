// SPDX-License-Identifier: Apache-2.0
import Hummingbird

/// Lets the owner of the store's folder do everything that a backend may do. Only on routers that no network reaches.
struct OperatorAccess: RouterMiddleware {
    let configuration: LiveConfiguration

    func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.snapshot = configuration.snapshot
        context.caller = Caller(app: context.snapshot.app.id, credential: nil)
        return try await next(request, context)
    }
}

// SPDX-License-Identifier: Apache-2.0
package import Hummingbird
import LandfallRules

/// Gives the owner of the store's folder every right of a backend. Only on routers that no network reaches.
package struct OperatorAccess: RouterMiddleware {
    package let configuration: LiveConfiguration

    package init(configuration: LiveConfiguration) {
        self.configuration = configuration
    }

    package func handle(
        _ request: Request, context: AppContext, next: (Request, AppContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.snapshot = configuration.snapshot
        context.caller = Caller(app: context.snapshot.app.id, credential: nil, isOperator: true, seesPeople: true)
        return try await next(request, context)
    }
}

// SPDX-License-Identifier: Apache-2.0
import Hummingbird
import LandfallServer
import LandfallWire

/// `/console/api`: what programs may call. Every member may read it: the description is public.
enum APIPageRoutes {
    @Sendable static func contents(_ call: ConsoleCall) async throws -> Response {
        ConsoleAnswer.page(APIContentsPage(frame: try call.frame, reference: try reference()).html)
    }

    /// `GET /console/api/{group}`
    @Sendable static func group(_ call: ConsoleCall) async throws -> Response {
        ConsoleAnswer.page(APIGroupPage(frame: try call.frame, group: try group(of: call)).html)
    }

    /// `GET /console/api/{group}/types`
    @Sendable static func types(_ call: ConsoleCall) async throws -> Response {
        let group = try group(of: call)
        return ConsoleAnswer.page(APITypesPage(frame: try call.frame, group: group, types: try reference().types(of: group)).html)
    }

    private static func reference() throws -> APIReference {
        guard let own = APIReference.own else { throw RequestError.notFound }
        return own
    }

    private static func group(of call: ConsoleCall) throws -> APIReference.Group {
        let slug = call.context.parameters.get("group") ?? ""
        guard let group = try reference().groups.first(where: { $0.slug.hasSameBytes(as: slug) }) else { throw RequestError.notFound }
        return group
    }
}

extension ConsoleRoute {
    /// On the thread for editing: the first page reads the whole description.
    static var api: [ConsoleRoute] {
        editing([
            get("/console/api", .member(.account), APIPageRoutes.contents),
            get("/console/api/{group}", .member(.account), APIPageRoutes.group),
            get("/console/api/{group}/types", .member(.account), APIPageRoutes.types),
        ])
    }
}

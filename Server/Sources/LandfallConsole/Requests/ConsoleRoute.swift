// SPDX-License-Identifier: Apache-2.0
import HTTPTypes
import Hummingbird
import LandfallServer

/// One page or form of the console, with what it needs. The router is made from the table of these, and so are the tests of who
/// may do what.
package struct ConsoleRoute: Sendable {
    enum Access: Hashable, Sendable {
        case anyone
        case member(Right)
        /// The same, with a password given in the last 15 minutes.
        case proven(Right)

        var right: Right? {
            switch self {
            case .anyone: nil
            case .member(let right), .proven(let right): right
            }
        }
    }

    let method: HTTPRequest.Method
    let path: String
    let access: Access
    /// The most bytes of a form.
    var formLimit = ConsoleCall.formLimit
    /// It is answered on the thread for editing.
    var isEditing = false
    let handle: @Sendable (ConsoleCall) async throws -> Response

    static func get(
        _ path: String, _ access: Access, _ handle: @escaping @Sendable (ConsoleCall) async throws -> Response
    ) -> ConsoleRoute { ConsoleRoute(method: .get, path: path, access: access, handle: handle) }

    static func post(
        _ path: String, _ access: Access, formLimit: Int = ConsoleCall.formLimit,
        _ handle: @escaping @Sendable (ConsoleCall) async throws -> Response
    ) -> ConsoleRoute { ConsoleRoute(method: .post, path: path, access: access, formLimit: formLimit, handle: handle) }

    /// These routes, on the thread for editing.
    static func editing(_ routes: [ConsoleRoute]) -> [ConsoleRoute] {
        routes.map { route in
            var route = route
            route.isEditing = true
            return route
        }
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallWire

/// A message of JSON-RPC 2.0 from the client.
enum RPCMessage: Hashable {
    case request(id: JSONValue, method: String, parameters: [String: JSONValue])
    case notification(method: String, parameters: [String: JSONValue])
    /// To a request of this server, which sends none.
    case answer

    /// The elements of a line: one message, or the messages of a batch.
    enum Line: Hashable {
        case message(JSONValue)
        case batch([JSONValue])

        init(_ bytes: [UInt8]) throws(RPCFault) {
            let value: JSONValue
            do { value = try WireCoding.decode(JSONValue.self, from: Data(bytes)) } catch {
                throw RPCFault(.notJSON, "The line is not JSON in UTF-8. Write each message as one line of JSON.")
            }
            if case .array(let messages) = value { self = .batch(messages) } else { self = .message(value) }
        }
    }

    init(_ value: JSONValue) throws(RPCFault) {
        guard case .object(let members) = value else {
            throw RPCFault(.notRequest, "A message is a JSON object with 'jsonrpc', 'id' and 'method'.")
        }
        let id = Self.id(members["id"])
        guard members["jsonrpc"] == "2.0" else {
            throw RPCFault(.notRequest, "The message has no \"jsonrpc\": \"2.0\". Add it.", id: id ?? .null)
        }
        guard let method = members["method"] else {
            guard members["result"] == nil, members["error"] == nil else { self = .answer; return }
            throw RPCFault(.notRequest, "The message has no 'method'. Name one, such as tools/list.", id: id ?? .null)
        }
        guard case .string(let method) = method else {
            throw RPCFault(.notRequest, "'method' is not a text. Name one, such as tools/list.", id: id ?? .null)
        }
        guard members["id"] != nil else {
            self = .notification(method: method, parameters: members["params"]?.object ?? [:])
            return
        }
        guard let id else { throw RPCFault(.notRequest, "'id' is neither a text nor a number. Give each request its own.") }
        switch members["params"] {
        case nil: self = .request(id: id, method: method, parameters: [:])
        case .object(let parameters): self = .request(id: id, method: method, parameters: parameters)
        default: throw RPCFault(.wrongParameters, "'params' is not an object. Write the parameters by name.", id: id)
        }
    }

    /// - Returns: nil for a value that cannot be an id.
    private static func id(_ value: JSONValue?) -> JSONValue? {
        switch value {
        case .string, .integer, .number: value
        default: nil
        }
    }

    /// The answer to a request that was carried out.
    static func result(_ result: JSONValue, of id: JSONValue) -> JSONValue { ["jsonrpc": "2.0", "id": id, "result": result] }
}

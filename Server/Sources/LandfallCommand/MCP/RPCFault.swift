// SPDX-License-Identifier: Apache-2.0
import LandfallWire

/// Why a message of JSON-RPC is not carried out.
struct RPCFault: Error, Hashable {
    /// The codes of JSON-RPC 2.0; the last one is of this server.
    enum Code: Int64 {
        case notJSON = -32700
        case notRequest = -32600
        case unknownMethod = -32601
        case wrongParameters = -32602
        case internalError = -32603
        case busy = -32000
    }

    let code: Code
    let message: String
    /// Of the request; null if the message does not tell it.
    var id = JSONValue.null

    init(_ code: Code, _ message: String, id: JSONValue = .null) { (self.code, self.message, self.id) = (code, message, id) }

    /// The answer that tells the client.
    var answer: JSONValue {
        ["jsonrpc": "2.0", "id": id, "error": ["code": .integer(code.rawValue), "message": .string(message)]]
    }
}

// SPDX-License-Identifier: Apache-2.0
import CPostgres
import LandfallStore

/// A text that a connection has prepared, with the types that the engine inferred.
final class PreparedText {
    let text: String
    /// Empty where nothing stays prepared.
    let name: String
    private(set) var types: [UInt32] = []
    private var columns = Columns([])

    init(_ text: String, name: String) { (self.text, self.name) = (text, name) }

    /// - Parameter result: the engine's description.
    func learn(_ result: OpaquePointer, _ library: Libpq) {
        types = (0..<library.functions.nparams(result)).map { library.functions.paramtype(result, $0) }
        columns = Self.columns(result, library)
    }

    /// - Parameter isFixed: the columns cannot change while the text is prepared.
    func rows(_ result: OpaquePointer, _ library: Libpq, isFixed: Bool) throws(DatabaseError) -> [Row] {
        let (rows, count) = (library.functions.ntuples(result), library.functions.nfields(result))
        guard rows > 0 else { return [] }
        if !isFixed || columns.names.count != count { columns = Self.columns(result, library) }
        var types: [PostgresType] = []
        types.reserveCapacity(Int(count))
        for place in 0..<count {
            let number = library.functions.ftype(result, place)
            guard let type = PostgresType(rawValue: number) else {
                throw .failed(
                    "the column '\(columns.names[Int(place)])' has a type that is not read (OID \(number)); cast it to BIGINT, DOUBLE PRECISION, TEXT or BYTEA"
                )
            }
            types.append(type)
        }
        return (0..<rows).map { row in
            Row(
                columns,
                types.enumerated().map { place, type in
                    let column = Int32(place)
                    if library.functions.getisnull(result, row, column) == 1 { return .null }
                    let start = library.functions.getvalue(result, row, column)
                    return SQLValue(
                        UnsafeRawBufferPointer(start: start, count: Int(library.functions.getlength(result, row, column))),
                        as: type)
                })
        }
    }

    private static func columns(_ result: OpaquePointer, _ library: Libpq) -> Columns {
        Columns(
            (0..<library.functions.nfields(result)).map {
                library.functions.fname(result, $0).map { String(cString: $0) } ?? ""
            })
    }
}

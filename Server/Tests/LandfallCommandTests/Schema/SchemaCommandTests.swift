// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import LandfallNode

@Suite("landfall schema", .timeLimit(.minutes(1)))
struct SchemaCommandTests {
    @Test("prints every table once, as a server makes it")
    func tables() async throws {
        let (status, output, errors) = try await RunningCommand(["schema"]).completion()

        #expect(status == 0)
        #expect(errors.isEmpty)
        let made = output.matches(of: #/CREATE TABLE ([a-z_]+)/#).map { String($0.1) }
        #expect(made.sorted() == Distribution.tables.map(\.name).sorted())
        #expect(output.contains("\nCREATE INDEX event_by_install ON event (app_id, install_id, id);\n"))
    }

    @Test(
        "prints a call of Citus for each table that is not on the coordinator only; tables follow one that stands before them")
    func citus() async throws {
        let (status, output, errors) = try await RunningCommand(["schema", "--citus"]).completion()

        #expect(status == 0)
        #expect(errors.isEmpty)
        var known = ["none"]
        for call in output.matches(
            of: #/SELECT create_(?:distributed|reference)_table\('([a-z_]+)'(?:, '[a-z_]+', colocate_with => '([a-z_]+)')?\);/#)
        {
            if let other = call.2 { #expect(known.contains(String(other)), "\(call.0)") }
            known.append(String(call.1))
        }
        #expect(known.dropFirst().sorted() == Distribution.tables.filter { $0.place != .coordinator }.map(\.name).sorted())
        #expect(output.contains("\nSELECT create_distributed_table('event', 'install_id', colocate_with => 'install');"))
        #expect(
            output.contains("\nSELECT create_distributed_table('former_profile', 'profile_id', colocate_with => 'profile');"))
        #expect(output.contains("\nSELECT create_reference_table('link');"))
        #expect(!output.contains("_table('job'"))
    }

    @Test("refuses a system that it does not know, and names the option")
    func refused() async throws {
        let (status, output, errors) = try await RunningCommand(["schema", "--citrus"]).completion()

        #expect(status == 64)
        #expect(output.isEmpty)
        #expect(errors.hasPrefix("Error: Unknown option '--citrus'"))
    }
}

// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallNode
import LandfallSQLite
import LandfallServer
import LandfallStore
import LandfallWire

/// What `landfall doctor` checks: the machine, then the store, through the process that has opened it.
struct Examination {
    private static let leastFreeDisk = 0.05
    /// For reading the whole store. Check a store that needs longer with another tool.
    private static let patience = Duration.seconds(24 * 3600)
    /// For every other check: a disk that hangs never answers.
    private static let limit = Duration.seconds(15)

    let folder: StoreFolder
    let isWhole: Bool

    /// Also returns the subject of the checks from outside, if the store's configuration can be served.
    func findings() async -> (findings: [DoctorFinding], subject: DoctorSubject?) {
        if folder.isClosed {
            return ([.bad("folder", "\(FolderClosed(folder: folder).what).", fix: FolderClosed.advice)], nil)
        }
        guard let mode = folder.mode, FileManager.default.fileExists(atPath: folder.database) else {
            return (
                [.bad("folder", "'\(folder.path)' holds no store.", fix: "Name the folder with --data, or start a server with it.")], nil
            )
        }
        // Before the store is opened: opening it restricts the modes of its files.
        let sync = await abandoning(after: Self.limit, by: .live) { [folder] in await onThread { DiskSync.finding(in: folder) } }
        var ofTheMachine = [files(mode), disk(), sync ?? DiskSync.silent]
        let found = isWhole ? await store() : await abandoning(after: Self.limit + .seconds(10), by: .live) { await store() }
        let (findings, subject) = found ?? ([Self.silent], nil)
        // A running server reports its own limit.
        if !findings.contains(where: { $0.check == "openFiles" }) {
            ofTheMachine.append(.openFiles(OpenFiles.raiseLimit(), of: "A process of this user"))
        }
        return (ofTheMachine + findings, subject)
    }

    private static let silent = DoctorFinding.bad(
        "store", "The store does not answer: its disk may hang.", fix: "Look at the log of the system (dmesg) and at the disk.")

    private func files(_ mode: UInt32) -> DoctorFinding {
        if mode & 0o022 != 0 {
            return .bad(
                "folder", "Other users may write to '\(folder.path)', and so replace the store.",
                fix: "chmod 700 \(folder.path)")
        }
        if let wide = folder.files.first(where: { $0.mode & 0o077 != 0 }) {
            return .bad(
                "folder", "Other users may read '\(wide.path)'.", fix: "chmod 600 \(wide.path); a server does it when it starts.")
        }
        if let stranger = folder.strangers.first {
            return .bad(
                "folder", "'\(stranger.path)' belongs to user \(stranger.owner), and the folder to user \(stranger.folder): a server of that user cannot open it.",
                fix: "chown \(stranger.folder) \(stranger.path)")
        }
        return .good("folder", "'\(folder.path)' and its files are for their user alone.")
    }

    private func disk() -> DoctorFinding {
        let share = folder.freeDiskShare
        let text = "\(Int((share * 100).rounded(.down))) % of the disk is free."
        return share >= Self.leastFreeDisk
            ? .good("disk", text)
            : .bad("disk", text + " Below 5 % writes are refused.", fix: "Free some space. Phones then send again what was refused.")
    }

    private func store() async -> ([DoctorFinding], DoctorSubject?) {
        do {
            switch try await Reach.takeOrFind(folder, open: { folder in try await onThread { try SQLiteDatabase(path: folder.database, examines: false) } }) {
            case .server(let socket):
                let target = "/v1/doctor" + (isWhole ? "?whole=true" : "")
                let (body, subject) = try await ServerConnection.with(socket: socket) {
                    let body = try await $0.call(BackendCall("GET", target), within: isWhole ? Self.patience : Self.limit)
                    // A server of an older release does not have this route.
                    return (body, try? await $0.call(BackendCall("GET", "/v1/doctor/subject"), within: .seconds(5)))
                }
                let found = try WireCoding.decode([DoctorFinding].self, from: Data(body))
                return (
                    [.good("server", "A server runs on the store and answers commands.")] + found,
                    subject.flatMap { try? WireCoding.decode(DoctorSubject.self, from: Data($0)) }
                )
            case .database(let database):
                return try await Reach.holding(database) {
                    let doctor = StoreDoctor(database, knowsSecrets: false)
                    let stopped = DoctorFinding.bad(
                        "server", "No server runs on the store.", fix: "Start it: systemctl start landfall, or landfall serve. Its log says why it ended.")
                    return ([stopped] + (await doctor.findings(whole: isWhole)), await doctor.subject())
                }
            }
        } catch DatabaseError.damaged(let text) {
            return ([.damaged(text)], nil)
        } catch let error as ServerUnreached {
            return (
                [.bad("server", "\(error)", fix: "Check whether the disk hangs: see the log of the system (dmesg) and the server's log.")], nil
            )
        } catch let error as StoreBusy {
            return ([.bad("server", "\(error)", fix: "Wait for the other process, or stop it.")], nil)
        } catch {
            return ([.bad("store", "\(error)", fix: "Check who owns the folder and its files, and run this command as that user.")], nil)
        }
    }
}

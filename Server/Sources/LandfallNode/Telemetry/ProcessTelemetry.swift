// SPDX-License-Identifier: Apache-2.0
import Foundation
import LandfallServer
package import Metrics
import Synchronization

/// What the system tells about this process, under the names that every Prometheus client uses. Linux only.
package final class ProcessTelemetry: Sendable {
    private let cpu: FloatingPointCounter
    private let counted = Mutex(0.0)
    private let memory: Gauge
    private let openFiles: Gauge
    private let mostFiles: Gauge

    package init(factory: any MetricsFactory) {
        Gauge(label: "landfall_build_info", dimensions: [("version", LandfallVersion.current)], factory: factory).record(1)
        cpu = FloatingPointCounter(label: "process_cpu_seconds_total", factory: factory)
        memory = Gauge(label: "process_resident_memory_bytes", factory: factory)
        openFiles = Gauge(label: "process_open_fds", factory: factory)
        mostFiles = Gauge(label: "process_max_fds", factory: factory)
        let start = Gauge(label: "process_start_time_seconds", factory: factory)
        if let seconds = ProcessFacts.startSeconds { start.record(seconds) }
        report()
    }

    package func report() {
        if let seconds = ProcessFacts.cpuSeconds {
            counted.withLock { counted in
                cpu.increment(by: max(seconds - counted, 0))
                counted = max(seconds, counted)
            }
        }
        if let bytes = ProcessFacts.residentBytes { memory.record(bytes) }
        if let count = ProcessFacts.openFiles { openFiles.record(count) }
        if let most = ProcessFacts.mostFiles { mostFiles.record(most) }
    }
}

/// Read from `/proc/self`; nil if there is none.
enum ProcessFacts {
    static var cpuSeconds: Double? {
        guard let fields = statFields, let user = Double(fields[11]), let system = Double(fields[12]) else { return nil }
        return (user + system) / ticksPerSecond
    }

    static var startSeconds: Double? {
        guard let fields = statFields, let ticks = Double(fields[19]),
            let boot = text("/proc/stat")?.split(separator: "\n").first(where: { $0.hasPrefix("btime ") }).flatMap({ Double($0.dropFirst(6)) })
        else { return nil }
        return boot + ticks / ticksPerSecond
    }

    static var residentBytes: Double? {
        guard let pages = text("/proc/self/statm")?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }

    static var openFiles: Int? {
        // The folder itself is open while it is read.
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count).map { max($0 - 1, 0) }
    }

    static var mostFiles: Double? {
        let limit = ProcessLimits.openFiles
        return limit > 0 && limit < .max ? Double(limit) : nil
    }

    private static var ticksPerSecond: Double { Double(sysconf(Int32(_SC_CLK_TCK))) }

    /// After the name of the program, which may contain spaces and brackets; the first is field 3 of proc(5).
    private static var statFields: [Substring]? {
        guard let text = text("/proc/self/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: end)...].split(separator: " ")
        return fields.count > 19 ? fields : nil
    }

    private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}

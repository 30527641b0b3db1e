// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Foundation
import Logging
import ServiceLifecycle

/// Shared by the commands that serve: how they run, and their first line.
enum Serving {
    /// Runs the service until it ends, or until SIGTERM or SIGINT asks for a graceful stop.
    /// - Parameters:
    ///   - stops: nil: they are heeded from now on.
    ///   - others: run beside it, and may end before it.
    ///   - drain: how long the service continues after it was asked to stop.
    static func run(
        _ service: any Service, besides others: [any Service] = [], drain: Duration = .zero, stops: StopSignals? = nil, logger: Logger
    ) async throws {
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)
            ]
                + others.map { .init(service: $0, successTerminationBehavior: .ignore) },
            logger: logger
        )
        // Longer than the longest hold, which a graceful stop ends at once anyway.
        configuration.maximumGracefulShutdownDuration = drain + .seconds(20)
        let stops = if let stops { stops } else { await StopSignals(logger: logger) }
        try await stops.run(configuration)
    }

    /// The first line of every serving command; scripts read the port from it.
    static func announce(host: String, port: Int) {
        Output.line("listening on \(address(host: host, port: port))")
    }

    static func address(host: String, port: Int) -> String {
        "http://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// One log for the process, on standard error. `LANDFALL_LOG_LEVEL` changes its level.
    /// - Parameter format: `text` or `json`; nil for text.
    static func logger(
        _ environment: FlagEnvironment, usually level: Logger.Level = .notice, format: String? = nil
    ) throws -> Logger {
        let name = format ?? environment.text("log-format") ?? LogForm.Format.text.rawValue
        guard let format = LogForm.Format(rawValue: name) else {
            throw ValidationError("--log-format is '\(name)'; use text or json.")
        }
        let isForJournal = LogForm.isJournal(ProcessInfo.processInfo.environment["JOURNAL_STREAM"])
        let log = LimitedLog(LogForm(format: format, isForJournal: isForJournal))
        log.tellCounts()
        LoggingSystem.bootstrap { LimitedLogHandler(log, label: $0) }
        var logger = Logger(label: "landfall")
        logger.logLevel = environment.text("log-level").flatMap { Logger.Level(rawValue: $0.lowercased()) } ?? level
        return logger
    }
}

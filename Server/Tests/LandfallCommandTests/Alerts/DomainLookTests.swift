// SPDX-License-Identifier: Apache-2.0
#if HTTPS
import Testing

@testable import LandfallCommand
@testable import LandfallServer

@Suite("What alerts look at on many domains", .timeLimit(.minutes(1)))
struct DomainLookTests {
    @Test("ends in time, also if every host and Apple's copy of each are silent")
    func bounds() {
        let rounds = (DomainExamination.mostHosts + DomainExamination.concurrency - 1) / DomainExamination.concurrency

        #expect((DomainExamination.patience + DomainExamination.copyPatience) * rounds < AlertMeter.patience)
    }

    /// Only waits of this length end.
    private static func time(ending length: Duration) -> ServerTime {
        ServerTime(nowMs: { 0 }, sleep: { if $0 != length { await never() } })
    }

    /// Until the caller is cancelled.
    private static func never() async { for await _ in AsyncStream<Void>.makeStream().stream {} }

    @Test("A host that is silent is not judged, and Apple's copy of its file is")
    func silentHost() async {
        let look = await DomainExamination.look(at: "go.example.com", by: Self.time(ending: DomainExamination.patience)) {
            await Self.never()
            return DomainLook(host: "late.example.com")
        } copy: {
            .good("appleCDN", "names the app")
        }

        #expect(look.host == "go.example.com" && look.certificateDays == nil && look.appleCopy?.ok == true)
    }

    @Test("What a host answered counts, also if Apple's copy does not come")
    func silentCopy() async {
        let look = await DomainExamination.look(at: "go.example.com", by: Self.time(ending: DomainExamination.copyPatience)) {
            var look = DomainLook(host: "go.example.com")
            look.certificateDays = 3
            return look
        } copy: {
            await Self.never()
            return nil
        }

        #expect(look.certificateDays == 3 && look.appleCopy == nil)
    }
}
#endif

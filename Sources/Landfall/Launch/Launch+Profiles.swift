// SPDX-License-Identifier: Apache-2.0
internal import LandfallWire

extension Launch {
    var profile: Profile? {
        let now = time.now(), date = time.date()
        // The alarm for an end may be late, as after a pause of the process.
        return read { state in state.profileState.wire.map { state.profile($0, state.profileState.attribution, now, date) } }
    }

    /// One that the server has sent just now.
    func profile(_ wire: WireProfile, _ attribution: LandfallWire.Attribution) -> Profile {
        let now = time.now(), date = time.date()
        return read { $0.profile(wire, attribution, now, date) }
    }

    var attribution: Attribution { Attribution(read(\.profileState.attribution)) }

    func profiles() -> AsyncStream<Profile> {
        let (stream, listener) = AsyncStream<Profile>.makeStream(bufferingPolicy: .unbounded)
        let gone = goneListeners.withLock { gone in
            defer { gone = [] }
            return gone
        }
        let id = note { state in
            for id in gone { state.profileListeners.remove(id) }
            let id = state.nextID()
            guard !state.isOver else { return id }
            state.profileState.profile.map { _ = listener.yield($0) }
            state.profileListeners.add(id, listener)
            return id
        }
        // A task that cancels a listener holds that listener's own lock, and a yield under the state's lock may wait for it. So
        // this takes only the list's own lock, and the next listener cleans up.
        listener.onTermination = { [goneListeners] _ in goneListeners.withLock { _ = $0.insert(id) } }
        if read(\.isOver) { listener.finish() }
        // A listener that waits for start() is a mistake of the setup, after some seconds.
        if !read(\.isStarted) { change { _ in } }
        return stream
    }

    func identify(_ customerID: String, token: String?, within limit: Duration) async throws -> Profile {
        guard (1...Limits.customerID).contains(customerID.utf8.count), !customerID.utf8.contains(0),
            CombiningMarks.areFew(in: customerID)
        else {
            throw LandfallError(
                .invalidArgument,
                detail: "A customer id has 1 to \(Limits.customerID) bytes, without U+0000 and endless combining marks.")
        }
        let request = IdentifyRequest(key: makeKey(), customerId: customerID, identityToken: token)
        return try await become(WirePath.identify, request, within: limit)
    }

    func logOut(within limit: Duration) async throws -> Profile {
        try await become(WirePath.logout, LogoutRequest(key: makeKey()), within: limit)
    }

    /// A call that may change the person. One after the other, in the order of asking.
    private func become(_ path: String, _ body: some Sendable & Encodable, within limit: Duration) async throws -> Profile {
        let asked = time.now(), limit = limit.withinADay
        return try await until(asked + limit) { [self] in
            let install = try await knownInstall(until: asked + limit)
            return try await personTurns.run {
                try await become(inTurn: path, body, as: install, attributesUntil: asked + limit / 2)
            }
        }
    }

    private func become(
        inTurn path: String, _ body: some Sendable & Encodable, as install: Install, attributesUntil: Duration
    ) async throws -> Profile {
        try checkIsHere(install)
        note { $0.person.call = .sendingAttributes }
        defer { becameSomebody() }
        let waiting = await sendAttributes(as: install, until: attributesUntil)
        // Nothing was sent that could have changed the person.
        try Task.checkCancellation()
        // They must not arrive after the person has changed.
        change { state in
            state.person.call = .sent
            guard !waiting.isEmpty else { return }
            if state.person.isFlushSendingAttributes, let flush = state.outbox.flush.operation { state.cancelled.append(flush) }
            if !state.firstOpen.carriedChanges.isDisjoint(with: waiting) { state.takeFirstOpenBack() }
        }
        try checkIsHere(install)
        let before = read(\.profileState.wire?.id)
        let request = calls.request("POST", path, body: try WireCoding.encode(body), as: install)
        let answer: ProfileAnswer
        do { answer = try await calls.answer(ProfileAnswer.self, to: request) } catch {
            // Nobody knows whether the server has done it.
            if (error as? LandfallError)?.isRefusal != true {
                note { if $0.install?.id == install.id { $0.person.isUnclear() } }
            }
            throw error
        }
        guard read(\.install?.id) == install.id else { throw LandfallError(.refused(.profileErased)) }
        change { state, at in
            state.person.became()
            state.learn(answer.profile, answer.attribution, now: at.now)
        }
        // The server would leave them out, or apply them to the person that this installation shows now.
        if !waiting.isEmpty, path == WirePath.logout || before != nil && before != answer.profile.id {
            forget(waiting)
            let error = LandfallError(.refused(.profileMismatch), detail: "The person changed before the attributes were sent.")
            change { state in
                state.awaited.ended(waiting)
                state.outbox.calls.refused(waiting, error)
            }
            let text = "\(waiting.count) attribute changes about the previous person could not be sent; they are dropped. Nothing to do."
            configuration.log(LogLine(.warning, text, category: .events))
        }
        return profile(answer.profile, answer.attribution)
    }

    /// The client may have ended, and what a call was to change may have been forgotten or reset meanwhile.
    /// - Throws: ``LandfallError``: the next call is about the new installation.
    private func checkIsHere(_ install: Install) throws {
        if read(\.isOver) { throw LandfallError(.shutDown) }
        guard read(\.install?.id) == install.id else { throw LandfallError(.refused(.profileErased)) }
    }

    /// Flushes send attribute changes again.
    private func becameSomebody() {
        note { $0.person.call = nil }
        // Afterwards: a flush that left one out may have ended just before.
        if outbox.pending.contains(where: { $0.attributeChanges != nil }) { change { $0.outbox.hasItems = true } }
    }

    /// Sends the attribute changes that wait, in order, for a limited time: they are about the person who is here now. A flush that
    /// sends one at the same time does no harm, because the server does each once.
    /// - Returns: those that were not taken.
    private func sendAttributes(as install: Install, until deadline: Duration) async -> Set<String> {
        var left: Set<String> = [], goesOn = true
        for changes in outbox.pending.compactMap(\.attributeChanges) {
            goesOn = goesOn && time.now() < deadline
            let verdict =
                goesOn ? try? await until(deadline, { [self] in try await deliver(.attributes(changes), as: install) }) : nil
            switch verdict {
            case .taken:
                forget([changes.key.rawValue])
                continue
            // The flush reports it.
            case .refused: break
            case .later, .laterAlone, .elsewhere, nil: goesOn = false
            }
            left.insert(changes.key.rawValue)
        }
        return left
    }

    /// Follows the profile after the stream has ended while attribution is pending. The server holds each request; while
    /// nothing changes, requests become less frequent.
    func watchProfile(after version: Int64) async {
        guard let install = read(\.install) else { return }
        let wait = Duration.seconds(30)
        let query: [(String, String?)] = [("after", "\(version)"), ("wait", "\(wait.wholeMilliseconds)")]
        let request = calls.request("GET", WirePath.profile, query: query, as: install, wait: wait)
        let result = await Result { try await self.calls.answer(ProfileAnswer.self, to: request) }
        change { state, at in
            state.watch.operation = nil
            switch result {
            case .success(let answer):
                let isNews = answer.profile.version > version || answer.attribution != state.profileState.said
                if isNews { state.watch.retry.reset() } else { state.watch.retry.failed(now: at.now, chance: at.chance) }
                state.learn(answer.profile, answer.attribution, now: at.now)
            case .failure(let error):
                guard let error = LandfallError(any: error) else { return }
                state.watch.retry.failed(now: at.now, chance: at.chance)
                state.noticed(error, by: .profile, now: at.now)
            }
        }
    }
}

extension LaunchState {
    /// A profile from any call.
    mutating func learn(_ profile: WireProfile, _ attribution: LandfallWire.Attribution?, now: Duration) {
        // The answer came after its installation had ended.
        guard profile.installId != gone else { return }
        let before = profileState
        profileState.apply(profile, attribution, now: now)
        if profile.epoch == profileState.wire?.epoch { person.shown(profile) }
        learned(since: before, now: now)
    }

    mutating func learn(_ attribution: LandfallWire.Attribution, now: Duration) {
        let before = profileState
        profileState.settle(attribution, now: now)
        learned(since: before, now: now)
    }

    private mutating func learned(since before: ProfileState, now: Duration) {
        guard profileState.wire != before.wire || profileState.said != before.said else { return }
        paywalls.profileChanged()
        stored.profile = profileState.stored
        shownPerson()
        profileState.said.map { stored.settle($0) }
        // Apple has answered, perhaps about an earlier launch's token.
        if case .attributed(let details)? = profileState.said, details.source == .appleAds { adToken.notNeeded() }
        files.changed(.profile)
        bringTokenAgain(now: now)
    }
}

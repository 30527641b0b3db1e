// SPDX-License-Identifier: Apache-2.0
import Landfall

extension Adjust {
    /// Records an own event: its token is the type, its revenue the value. Callback parameters are its properties, partner
    /// parameters too, with `partner.` before their names; so are `transaction_id`, `deduplication_id`, `product_id` and
    /// `callback_id`. On return it is stored on the phone. Before the start it is kept in memory, up to a hundred.
    /// - Parameter event: nil, which ``ADJEvent`` gives for an empty token, is logged.
    public static func trackEvent(_ event: ADJEvent?) { Connection.current.track(event) }

    /// Kept for this launch, and sent with each event as a property.
    #if canImport(ObjectiveC)
    @objc(addGlobalCallbackParameter:forKey:)
    #endif
    public static func addGlobalCallbackParameter(_ param: String, forKey key: String) {
        Connection.current.events.callbackParameters[key] = param
    }

    #if canImport(ObjectiveC)
    @objc(addGlobalPartnerParameter:forKey:)
    #endif
    public static func addGlobalPartnerParameter(_ param: String, forKey key: String) {
        Connection.current.events.partnerParameters[key] = param
    }

    #if canImport(ObjectiveC)
    @objc(removeGlobalCallbackParameterForKey:)
    #endif
    public static func removeGlobalCallbackParameter(forKey key: String) {
        Connection.current.events.callbackParameters[key] = nil
    }

    #if canImport(ObjectiveC)
    @objc(removeGlobalPartnerParameterForKey:)
    #endif
    public static func removeGlobalPartnerParameter(forKey key: String) {
        Connection.current.events.partnerParameters[key] = nil
    }

    public static func removeGlobalCallbackParameters() { Connection.current.events.callbackParameters = [:] }
    public static func removeGlobalPartnerParameters() { Connection.current.events.partnerParameters = [:] }
}

// The first generation's names.
extension Adjust {
    #if canImport(ObjectiveC)
    @objc(addSessionCallbackParameter:value:)
    #endif
    public static func addSessionCallbackParameter(_ key: String, value: String) {
        addGlobalCallbackParameter(value, forKey: key)
    }

    #if canImport(ObjectiveC)
    @objc(addSessionPartnerParameter:value:)
    #endif
    public static func addSessionPartnerParameter(_ key: String, value: String) {
        addGlobalPartnerParameter(value, forKey: key)
    }

    public static func removeSessionCallbackParameter(_ key: String) { removeGlobalCallbackParameter(forKey: key) }
    public static func removeSessionPartnerParameter(_ key: String) { removeGlobalPartnerParameter(forKey: key) }
    public static func resetSessionCallbackParameters() { removeGlobalCallbackParameters() }
    public static func resetSessionPartnerParameters() { removeGlobalPartnerParameters() }
}

extension Connection {
    func track(_ event: ADJEvent?) {
        guard let event else {
            return notices.log(.error, "ADJEvent is nil, because its token is empty: nothing was recorded. Pass a token.")
        }
        if event.receipt != nil { notices.say(.receipt) }
        if event.callbackId != nil { notices.say(.eventAnswers) }
        events.record(OwnEvent(event), id: event.deduplicationId ?? event.transactionId)
    }
}

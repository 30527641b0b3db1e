// SPDX-License-Identifier: Apache-2.0
//
// Apple has these in Foundation, which UIKit and SwiftUI export again; Foundation for Linux has not, so here is where an
// app's imports find them.
@_exported public import Foundation

public let NSUserActivityTypeBrowsingWeb: String = "NSUserActivityTypeBrowsingWeb"

open class NSUserActivity: NSObject {
    public let activityType: String
    open var title: String?
    open var userInfo: [AnyHashable: Any]?
    open var webpageURL: URL?
    open var referrerURL: URL?

    public init(activityType: String) { self.activityType = activityType }
}

@MainActor public protocol UIUserActivityRestoring: NSObjectProtocol {
    func restoreUserActivityState(_ userActivity: NSUserActivity)
}

extension UIResponder: UIUserActivityRestoring {
    public func restoreUserActivityState(_ userActivity: NSUserActivity) {}
}

open class NSItemProvider: NSObject {
    private let object: Any?

    /// Apple's takes an NSString by its writing protocol; a test needs no more.
    public init(object: NSString) { self.object = object }
    override public init() { object = nil }

    open func canLoadObject(ofClass aClass: String.Type) -> Bool { object is NSString }

    @discardableResult
    open func loadObject(
        ofClass aClass: String.Type, completionHandler: @escaping @Sendable (String?, (any Error)?) -> Void
    ) -> Progress {
        let text = (object as? NSString).map { "\($0)" }
        DispatchQueue.global().async { completionHandler(text, text == nil ? CocoaError(.featureUnsupported) : nil) }
        return Progress(totalUnitCount: 1)
    }
}

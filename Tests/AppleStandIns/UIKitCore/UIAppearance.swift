// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// A picture. Here it has none.
open class UIImage: NSObject, @unchecked Sendable {
    public convenience init?(named name: String) { self.init() }
}

open class UIColor: NSObject, @unchecked Sendable {
    open class var black: UIColor { UIColor() }
}

open class UIFont: NSObject, @unchecked Sendable {
    open class func systemFont(ofSize fontSize: CGFloat) -> UIFont { UIFont() }
}

public enum UIStatusBarStyle: Int, @unchecked Sendable {
    case `default` = 0
    case lightContent = 1
    case darkContent = 3
}

package import Foundation
package import PalliumJSON

// Values that do not fit 16 bytes live in one immutable box each; copying the slot shares the box.

package final class DecimalBox: Sendable {
    package let value: Decimal
    package init(_ value: Decimal) { self.value = value }
}

package final class JSONBox: Sendable {
    package let value: JSONValue
    package init(_ value: JSONValue) { self.value = value }
}

/// A URL that was made from its text, once.
package final class URLBox: Sendable {
    package let url: URL
    package let text: String
    package init(_ url: URL) {
        self.url = url
        self.text = url.absoluteString
    }

    /// A URL that was made from this text, which is kept as it came.
    package init(_ url: URL, text: String) {
        self.url = url
        self.text = text
    }
}

/// A value of a Swift type that only the program knows.
package final class CustomBox: Sendable {
    package let value: any Hashable & Sendable
    package init(_ value: any Hashable & Sendable) { self.value = value }
}

/// The raw text or number of an enumeration case that the schema does not list and keeps.
package final class UnknownCaseBox: Sendable {
    package let raw: EnumerationRawValue
    package init(_ raw: EnumerationRawValue) { self.raw = raw }
}

/// A reference that does not keep its model alive.
package final class WeakModelBox {
    package private(set) weak var model: DynamicModel?
    package init(_ model: DynamicModel) { self.model = model }
}

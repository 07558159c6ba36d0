package import Foundation
package import PalliumJSON

// Boxes for values that do not fit 16 bytes. A box is immutable, and copying a slot shares it.

package final class DecimalBox: Sendable {
    package let value: Decimal
    package init(_ value: Decimal) { self.value = value }
}

package final class JSONBox: Sendable {
    package let value: JSONValue
    package init(_ value: JSONValue) { self.value = value }
}

/// A URL and its text.
package final class URLBox: Sendable {
    package let url: URL
    package let text: String
    package init(_ url: URL) {
        self.url = url
        self.text = url.absoluteString
    }

    /// Keeps the text from which a URL was made, unchanged.
    package init(_ url: URL, text: String) {
        self.url = url
        self.text = text
    }
}

/// A value of a Swift type of your own.
package final class CustomBox: Sendable {
    package let value: any Hashable & Sendable
    package init(_ value: any Hashable & Sendable) { self.value = value }
}

/// The raw text or number of an enumeration case that the schema does not list and keeps.
package final class UnknownCaseBox: Sendable {
    package let raw: EnumerationSchema.RawValue
    package init(_ raw: EnumerationSchema.RawValue) { self.raw = raw }
}

/// A weak reference to a model.
package final class WeakModelBox {
    package private(set) weak var model: DynamicModel?
    package init(_ model: DynamicModel) { self.model = model }
}

package import PalliumCore
import PalliumJSON

// Swift types of a program that properties can have.

package enum Color: String, PropertyEnumeration { case red, green, blue }

/// A type that JSON does not know.
package struct Point: Hashable, Sendable, PropertyValue {
    package var x: Int
    package var y: Int

    package init(x: Int, y: Int) {
        self.x = x
        self.y = y
    }

    /// Points as text: `1,2`.
    package static let transformer = Transformer(from: String.self, to: Point.self) { text, _ in
        let parts = text.split(separator: ",").compactMap { Int($0) }
        guard parts.count == 2 else { throw FixtureError.refused }
        return Point(x: parts[0], y: parts[1])
    } reverse: { point, _ in
        "\(point.x),\(point.y)"
    }
}

/// A range whose parts stand apart in JSON.
package struct Range: Hashable, Sendable, PropertyValue {
    package var location: Int
    package var length: Int

    package init(location: Int, length: Int) {
        self.location = location
        self.length = length
    }

    /// Ranges as an object of two members.
    package static func transformer(under prefix: String) -> Transformer {
        Transformer(from: JSONValue.self, to: Range.self) { parts, _ in
            Range(
                location: parts["\(prefix)location"]?.intValue ?? 0, length: parts["\(prefix)length"]?.intValue ?? 0)
        } reverse: { range, _ in
            .object([
                "\(prefix)location": .number(JSONNumber(range.location)),
                "\(prefix)length": .number(JSONNumber(range.length)),
            ])
        }
    }
}

import PalliumCore
import PalliumJSON

/// Descriptions of objects by what stands at a key path, for conditions.
///
/// The functions return nil for paths that are too long to be described.
enum PathCondition {
    /// Describes objects with a value at a path that is as described.
    ///
    /// - Parameter allowsNullOnTheWay: Whether a null before the end of the path counts as such a value.
    static func value(
        at path: JSONKeyPath, _ description: JSONObject, allowsNullOnTheWay: Bool = false
    ) -> JSONObject? {
        guard ContractMembers.canDescribe(path) else { return nil }
        var result = description
        for (position, step) in path.steps.enumerated().reversed() {
            var outer = JSONObject()
            switch step {
            case .member(let name):
                if position > 0 { outer["type"] = "object" }
                outer["required"] = [.string(name)]
                if !result.isEmpty { outer["properties"] = .object([name: .object(result)]) }
            case .element(let index):
                outer["type"] = "array"
                outer["minItems"] = .number(JSONNumber(index + 1))
                if !result.isEmpty {
                    outer["prefixItems"] = .array(Array(repeating: true, count: index) + [.object(result)])
                }
            }
            let isOnTheWay = position > 0 && allowsNullOnTheWay
            result = isOnTheWay ? ["anyOf": [["type": "null"], .object(outer)]] : outer
        }
        return result
    }

    /// Describes objects in which a property finds a value, null included.
    static func isPresent(_ path: JSONKeyPath) -> JSONObject? { value(at: path, [:], allowsNullOnTheWay: true) }

    /// Describes objects with a value at a path that is not null.
    static func isNotNull(_ path: JSONKeyPath) -> JSONObject? { value(at: path, notNull) }

    /// Describes every value but null.
    static let notNull: JSONObject = ["not": ["type": "null"]]

    static func not(_ description: JSONObject) -> JSONObject { ["not": .object(description)] }

    static func any(_ descriptions: [JSONObject]) -> JSONObject {
        descriptions.count == 1 ? descriptions[0] : ["anyOf": .array(descriptions.map { .object($0) })]
    }
}

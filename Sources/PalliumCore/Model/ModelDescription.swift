import Foundation
import PalliumJSON

/// Describes models for people: one line for logs, an indented tree for debugging.
///
/// Descriptions are bounded in depth and length, mark cycles, mask secrets and show only permanent properties.
///
/// Safety: a slot with a value holds the type of its kind.
package struct ModelDescription {
    /// The bounds of a description.
    package struct Limits {
        package var depth: Int
        package var elements: Int
        package var textLength: Int
        /// The length after which models and elements are left out. Shared models can be on more paths than can be
        /// printed.
        package var totalLength = 100_000

        package static let line = Limits(depth: 1, elements: 4, textLength: 64)
        package static let tree = Limits(depth: 32, elements: 1000, textLength: 1000)
    }

    private let limits: Limits
    private let isTree: Bool
    private var text = ""
    private var path: [ObjectIdentifier] = []

    private init(limits: Limits, isTree: Bool) {
        self.limits = limits
        self.isTree = isTree
    }

    /// Describes a model in one line: `Issue(number: 7, title: "Crash", assignee: User(…))`.
    package static func line(_ model: DynamicModel) -> String {
        var description = ModelDescription(limits: .line, isTree: false)
        description.append(model, indentation: 0)
        return description.text
    }

    /// Describes the content of one slot as in the line of a model.
    package static func line(_ slot: PropertySlot) -> String {
        var description = ModelDescription(limits: .line, isTree: false)
        if slot.slotState.isUnset { return "nothing" }
        description.append(slot, indentation: 0)
        return description.text
    }

    /// Describes a model with one property per line, nested models indented.
    package static func tree(_ model: DynamicModel) -> String {
        var description = ModelDescription(limits: .tree, isTree: true)
        description.append(model, indentation: 0)
        return description.text
    }

    private mutating func append(_ model: DynamicModel, indentation: Int) {
        let identity = ObjectIdentifier(model)
        text += model.schema.name
        if path.contains(identity) {
            text += "(↻ cycle)"
            return
        }
        if path.count > limits.depth || isFull {
            text += "(…)"
            return
        }
        path.append(identity)
        defer { path.removeLast() }
        var isEmpty = true
        text += isTree ? "" : "("
        for (index, property) in model.layout.properties.enumerated() where property.isPermanent {
            let slot = model.slot(at: index)
            if slot.slotState.isUnset { continue }
            if isFull {
                text += isTree ? " …" : ", …"
                isEmpty = false
                break
            }
            if isTree {
                text += "\n" + String(repeating: "  ", count: indentation + 1)
            } else if !isEmpty {
                text += ", "
            }
            isEmpty = false
            text += property.key + ": "
            append(slot, indentation: indentation + 1)
            if slot.slotState.isDefaulted, isTree { text += "  (default)" }
        }
        text += isTree ? (isEmpty ? " (empty)" : "") : ")"
    }

    private var isFull: Bool { text.utf8.count > limits.totalLength }

    private mutating func append(_ slot: PropertySlot, indentation: Int) {
        let descriptor = slot.description
        guard slot.hasValue else {
            text += "null"
            return
        }
        if descriptor.isSensitive {
            text += MaskedValue.text
            return
        }
        switch descriptor.kind {
        case .model: append(slot.model, indentation: indentation)
        case .array, .set:
            appendList(slot.list, keys: nil, indentation: indentation)
        case .dictionary:
            let dictionary = slot.dictionary
            appendList(dictionary, keys: dictionary.keys, indentation: indentation)
        default: text += Self.scalar(slot, textLength: limits.textLength)
        }
    }

    private mutating func appendList(_ list: SlotList, keys: [String]?, indentation: Int) {
        text += "["
        for index in 0..<min(list.count, limits.elements) {
            if isFull {
                text += " …"
                break
            }
            if isTree, list.elementDescription.kind.mayHoldModels {
                text += "\n" + String(repeating: "  ", count: indentation + 1)
            } else if index > 0 {
                text += ", "
            }
            if let keys { text += ModelError.quote(keys[index]) + ": " }
            append(list.slot(at: index), indentation: indentation + 1)
        }
        if list.count > limits.elements { text += ", … (\(list.count) in all)" }
        if keys != nil, list.count == 0 { text += ":" }
        text += "]"
    }

    /// Describes a value that is neither a model nor a collection.
    package static func scalar(_ slot: PropertySlot, textLength: Int) -> String {
        let descriptor = slot.description
        if descriptor.kind == .weakModel {
            return slot.weakModel.map { "\($0.schema.name) (weak)" } ?? "gone"
        }
        return descriptor.traits.describe(slot, textLength)
    }
}

extension DynamicModel: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// One line: the schema's name and the permanent properties, cut to a readable length.
    public final var description: String { ModelDescription.line(self) }

    /// An indented tree of the permanent properties; cycles are marked, secrets masked.
    public final var debugDescription: String { ModelDescription.tree(self) }

    /// The permanent properties as children, for debuggers and `dump`; secrets masked.
    public final var customMirror: Mirror {
        let children: [Mirror.Child] = layout.properties.enumerated().compactMap { index, property in
            guard property.isPermanent, !slot(at: index).slotState.isUnset else { return nil }
            if property.schema.isSensitive { return (property.key, MaskedValue.text) }
            let value: Any = naturalValue(at: index) ?? Optional<Never>.none as Any
            return (property.key, value)
        }
        return Mirror(self, children: children, displayStyle: .class)
    }
}

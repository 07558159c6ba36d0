import Foundation
import Pallium

/// A slow decoder, written from the documentation alone: it walks over trees, property by property, and knows nothing of
/// bytes, slots and plans.
struct ReferenceDecoder {
    let set: SchemaSet
    /// Every problem, in the order in which the properties were looked at.
    private(set) var problems: [ReferenceProblem] = []
    /// Whether a problem stands outside of all elements that may be left out.
    private(set) var isRefused = false
    /// Whether problems are collected, as reports do: what can be built is built.
    private let collects: Bool
    /// Where values with labels stand, or their parts, from the outside in: problems inside of them are reported there.
    var labelled: [JSONPointer] = []
    /// Whether what is read is what a transformer takes.
    var readsInput = false

    init(_ set: SchemaSet, collects: Bool) {
        self.set = set
        self.collects = collects
    }

    mutating func fail(_ code: ModelError.Code, _ pointer: JSONPointer) {
        let place = labelled.first { Self.isInside(pointer, $0) }
        problems.append(ReferenceProblem(code: code, pointer: place ?? pointer))
        isRefused = true
    }

    /// Whether a place is another one or inside of it. Names are compared by their bytes.
    static func isInside(_ place: JSONPointer, _ outer: JSONPointer) -> Bool {
        place.tokens.starts(with: outer.tokens) { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Reads an element of a list, or of the document. With the policy `skip` its problems cost the element and nothing
    /// else: nil for an element that is left out.
    mutating func element<Result>(_ read: (inout ReferenceDecoder) -> Result) -> Result? {
        guard set.options.elements == .skip else { return read(&self) }
        let outer = isRefused
        isRefused = false
        let count = problems.count
        let result = read(&self)
        defer { isRefused = outer }
        guard isRefused, !collects else { return result }
        problems.removeSubrange(count...)
        return nil
    }

    // MARK: Objects

    /// A model of the schema, or of the one its cluster chooses; nil when it is left out.
    mutating func model(_ asked: String, _ value: JSONValue, _ pointer: JSONPointer) -> ReferenceModel? {
        guard case .object(let members) = value else {
            let isNull = value.isNull || value == "" && set.options.leniency.contains(.emptyTextAsNull)
            fail(isNull ? .nullNotAllowed : .typeMismatch, pointer)
            return nil
        }
        let outer = labelled
        labelled += labelledPaths(asked, pointer)
        defer { labelled = outer }
        guard let name = chosenSchema(asked, members, pointer) else { return nil }
        let schema = set.schema(name)
        var result = ReferenceModel(schema: name, slots: [])
        var isComplete = !isOtherLeaf(name, asked: asked, members, pointer)
        var checked: [(Int, JSONPointer)] = []
        for property in schema.properties where property.schema.storage != .notStored && !property.schema.isWeak {
            var slot = ReferenceModel.Slot(key: property.key, state: .unset, value: nil)
            switch read(property, members, pointer) {
            case .absent:
                if let value = defaultValue(property.schema) {
                    slot.state = .defaulted
                    slot.value = value
                } else if property.schema.isRequired {
                    fail(.missingProperty, pointer)
                    isComplete = false
                }
            case .null(let place):
                if property.schema.isRequired {
                    fail(.nullNotAllowed, place)
                    isComplete = false
                } else if !property.schema.isNullableByDeclaration, let value = defaultValue(property.schema) {
                    slot.state = .defaulted
                    slot.value = value
                } else {
                    slot.state = .null
                }
            case .value(let value, let place):
                slot.state = .value
                slot.value = value
                if property.schema.documentation == "validated" {
                    checked.append((result.slots.count, place))
                }
            case .failed:
                if property.schema.isRequired {
                    isComplete = false
                } else if let value = defaultValue(property.schema) {
                    slot.state = .defaulted
                    slot.value = value
                }
            }
            result.slots.append(slot)
        }
        checkMembers(schema, members, pointer)
        // Without a report, the first problem of the members is the only one. A report has those of validators, too.
        for (index, place) in checked where isComplete || collects {
            guard let value = result.slots[index].value else { continue }
            result.slots[index].value = validated(value)
            if result.slots[index].value == nil { fail(.validationFailed, place) }
        }
        isComplete = isComplete && !checked.contains { result.slots[$0.0].value == nil }
        result.isAlone = set.schema(asked).isAlone && schema.isAlone
        return isComplete ? result : nil
    }

    /// The places of all values with labels in an object, by every schema that a cluster could choose, the outer ones
    /// first. Where a model or a list of models belongs, an object may stand that another property reads, too.
    private func labelledPaths(
        _ asked: String, _ pointer: JSONPointer, inside outer: Set<String> = []
    ) -> [JSONPointer] {
        let properties = set.schemas.filter { set.isSame($0.name, orExtends: asked) }.flatMap {
            set.schema($0.name).properties
        }
        var result: [JSONPointer] = []
        for property in properties {
            for path in property.mapping.paths {
                let place = JSONPointer(tokens: pointer.tokens + path.steps.map(Self.token))
                if !property.schema.labels.isEmpty { result.append(place) }
                guard let model = listedModel(property.schema.kind), !outer.contains(model) else { continue }
                result += labelledPaths(model, place, inside: outer.union([asked, model]))
            }
        }
        return result.sorted { $0.tokens.count < $1.tokens.count }
    }

    private func listedModel(_ kind: PropertyKind) -> String? {
        switch kind {
        case .model(let reference): set.name(reference)
        case .array(let element), .set(let element): listedModel(element.kind)
        default: nil
        }
    }

    /// What the validators of the generator do; nil when they refuse.
    private func validated(_ value: ReferenceValue) -> ReferenceValue? {
        switch value {
        case .text(let text):
            if text.utf8.contains(UInt8(ascii: "!")) { return nil }
            return text.utf8.first == UInt8(ascii: "n") ? .text("corrected") : value
        case .integer(let number):
            if number % 5 == 4 { return nil }
            return number < 0 ? .integer(0) : value
        default: return value
        }
    }

    static func token(_ step: JSONKeyPath.Step) -> String {
        switch step {
        case .member(let name): name
        case .element(let index): String(index)
        }
    }

    /// A default stands in the schema as it would stand in JSON, and means the same for every adapter.
    func defaultValue(_ property: PropertySchema) -> ReferenceValue? {
        guard case .json(let value)? = property.defaultValue else { return nil }
        var decoder = ReferenceDecoder(set.withDefaultOptions, collects: false)
        guard case .value(let result, _) = decoder.converted(property, value, JSONPointer()) else { return nil }
        return result
    }

    // MARK: Paths

    /// What stands in JSON for a property.
    enum Outcome {
        case absent
        case null(JSONPointer)
        case value(ReferenceValue, JSONPointer)
        case failed
    }

    private enum Found {
        case absent, failed
        case value(JSONValue, JSONPointer)
    }

    private mutating func read(
        _ property: EffectiveSchema.Property, _ members: JSONObject, _ pointer: JSONPointer
    ) -> Outcome {
        guard property.schema.access != .writeOnly else { return .absent }
        switch property.mapping {
        case .none: return .absent
        case .first(let paths):
            for path in paths {
                switch walk(path.steps, members, pointer) {
                case .absent: continue
                case .failed: return .failed
                case .value(let value, let place): return converted(property.schema, value, place)
                }
            }
            return .absent
        case .all(let paths):
            var parts = JSONObject()
            for path in paths {
                switch walk(path.steps, members, pointer) {
                case .absent: continue
                case .failed: return .failed
                case .value(let value, _): parts.updateValue(value, forKey: path.text)
                }
            }
            if parts.isEmpty { return .absent }
            // As null is written.
            if parts.allSatisfy({ $0.value.isNull }) { return converted(property.schema, .null, pointer) }
            return converted(property.schema, .object(parts), pointer, parts: paths.map(\.text))
        }
    }

    /// A missing step is absent, a null on the way is null, anything else on the way is an error where it stands.
    private mutating func walk(_ steps: [JSONKeyPath.Step], _ members: JSONObject, _ pointer: JSONPointer) -> Found {
        var value = JSONValue.object(members)
        var place = pointer
        for step in steps {
            switch (step, value) {
            case (_, .null): return .value(nil, place)
            case (.member(let name), .object(let members)):
                guard let next = members[name] else { return .absent }
                value = next
            case (.element(let index), .array(let elements)):
                guard index < elements.count else { return .absent }
                value = elements[index]
            default:
                fail(.typeMismatch, place)
                return .failed
            }
            place.append(Self.token(step))
        }
        return .value(value, place)
    }
}

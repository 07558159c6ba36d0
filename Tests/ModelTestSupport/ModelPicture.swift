import Foundation
package import Pallium

/// Everything a model holds, as lines of text: the state of every property at every depth, and the values.
///
/// Two pictures are equal when the models hold the same, whatever they were made from. The order of dictionaries and the
/// spelling of numbers inside JSON values are left out, because a Swift dictionary has neither.
package func picture(of model: DynamicModel) -> [String] {
    var picture = ModelPicture()
    picture.draw(model, at: "")
    return picture.lines
}

/// As for one model, with the position of each.
package func picture(of models: [DynamicModel]) -> [String] {
    var picture = ModelPicture()
    for (index, model) in models.enumerated() { picture.draw(model, at: "/\(index)") }
    return picture.lines
}

/// Everything a model holds, which object each model is, and what is told about its changes.
package func snapshot(of model: DynamicModel) -> [String] {
    var picture = ModelPicture(seen: [])
    picture.draw(model, at: "")
    return picture.lines
}

/// Everything that models hold, which of them are the same object, and what is told about their changes: equal for graphs of
/// the same shape.
package func shape(of models: [DynamicModel]) -> [String] {
    var picture = ModelPicture(numbers: [:])
    for (index, model) in models.enumerated() { picture.draw(model, at: "/\(index)") }
    return picture.lines
}

/// As for one model, of any value that a property shows, in one line.
package func text(of value: Any) -> String {
    var picture = ModelPicture()
    picture.draw(value, at: "")
    return picture.lines.joined(separator: ", ")
}

/// The lines that one of two pictures has and the other has not; none when they are equal.
package func differingLines(_ left: [String], _ right: [String]) -> [String] {
    right.difference(from: left).map { change in
        switch change {
        case .insert(_, let line, _): "+ \(line)"
        case .remove(_, let line, _): "- \(line)"
        }
    }
}

private struct ModelPicture {
    var lines: [String] = []
    /// The objects that were met, where it counts which they are.
    var seen: Set<ObjectIdentifier>?
    /// The numbers of the objects that were met, where their shape counts.
    var numbers: [ObjectIdentifier: Int]?

    mutating func draw(_ model: DynamicModel, at path: String) {
        lines.append("\(path): \(type(of: model)) of \(model.schema.name)")
        if let preserved = model.unknownMembers {
            lines.append("\(path): keeps \(canonicalText(.object(preserved)))")
        }
        if let known = numbers?[ObjectIdentifier(model)] { return lines.append("\(path): number \(known)") }
        if let count = numbers?.count {
            numbers?[ObjectIdentifier(model)] = count
            lines.append("\(path): number \(count), \(model.isTrackingChanges ? "tracked" : "not tracked")")
            lines += model.pendingChanges.map { "\(path) differs at \($0)" }
        }
        if seen != nil {
            let identity = ObjectIdentifier(model)
            lines.append("\(path): \(identity), \(model.isTrackingChanges ? "tracked" : "not tracked")")
            if seen?.insert(identity).inserted == false { return }
            lines += model.pendingChanges.map { "\(path) differs at \($0)" }
        }
        for (key, value) in model.values.sorted(by: { $0.key < $1.key }) {
            let state = (try? model.state(of: key).rawValue) ?? "no such key"
            lines.append("\(path)/\(key): \(state)")
            if let value { draw(value, at: "\(path)/\(key)") }
        }
    }

    mutating func draw(_ value: Any, at path: String) {
        if let model = value as? DynamicModel { return draw(model, at: path) }
        if let json = value as? JSONValue { return lines.append("\(path) = \(canonicalText(json))") }
        if let date = value as? Date { return lines.append("\(path) = \(date.timeIntervalSinceReferenceDate) s") }
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional:
            guard let content = mirror.children.first else { return lines.append("\(path) = null") }
            draw(content.value, at: path)
        case .collection, .set:
            lines.append("\(path) has \(mirror.children.count)")
            for (index, child) in mirror.children.enumerated() { draw(child.value, at: "\(path)/\(index)") }
        case .dictionary:
            let entries = mirror.children.compactMap { child -> (key: String, value: Any)? in
                let pair = Array(Mirror(reflecting: child.value).children)
                guard pair.count == 2, let key = pair[0].value as? String else { return nil }
                return (key, pair[1].value)
            }
            lines.append("\(path) has \(entries.count)")
            for entry in entries.sorted(by: { $0.key < $1.key }) { draw(entry.value, at: "\(path)/\(entry.key)") }
        default: lines.append("\(path) = \(type(of: value)) \(String(reflecting: value))")
        }
    }
}

/// JSON text that is the same for equal values.
package func canonicalText(_ value: JSONValue) -> String {
    var options = JSONWritingOptions()
    options.sortsKeys = true
    return (try? withPlainNumbers(value).text(options: options)) ?? "too deep"
}

private func withPlainNumbers(_ value: JSONValue) -> JSONValue {
    switch value {
    case .number(let number):
        if let integer = number.int64 {
            .number(JSONNumber(integer))
        } else {
            JSONNumber(number.double).map { .number($0) } ?? value
        }
    case .array(let elements): .array(elements.map(withPlainNumbers))
    case .object(let object):
        .object(JSONObject(object.map { (key: $0.key, value: withPlainNumbers($0.value)) }))
    default: value
    }
}

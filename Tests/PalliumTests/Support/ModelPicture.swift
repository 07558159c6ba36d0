import Foundation
import Pallium

/// Everything a model holds, as lines of text: the state of every property at every depth, and the values.
///
/// Two pictures are equal when the models hold the same, whatever they were made from. The order of dictionaries and the
/// spelling of numbers inside JSON values are left out, because a Swift dictionary has neither.
func picture(of model: DynamicModel) -> [String] {
    var lines: [String] = []
    draw(model, at: "", into: &lines)
    return lines
}

/// As for one model, with the position of each.
func picture(of models: [DynamicModel]) -> [String] {
    var lines: [String] = []
    for (index, model) in models.enumerated() { draw(model, at: "/\(index)", into: &lines) }
    return lines
}

private func draw(_ model: DynamicModel, at path: String, into lines: inout [String]) {
    lines.append("\(path): \(type(of: model)) of \(model.schema.name)")
    if let preserved = model.preservedMembers { lines.append("\(path): keeps \(canonicalText(.object(preserved)))") }
    for (key, value) in model.values.sorted(by: { $0.key < $1.key }) {
        let state = (try? model.state(of: key).rawValue) ?? "no such key"
        lines.append("\(path)/\(key): \(state)")
        if let value { draw(value, at: "\(path)/\(key)", into: &lines) }
    }
}

private func draw(_ value: Any, at path: String, into lines: inout [String]) {
    if let model = value as? DynamicModel { return draw(model, at: path, into: &lines) }
    if let json = value as? JSONValue { return lines.append("\(path) = \(canonicalText(json))") }
    if let date = value as? Date { return lines.append("\(path) = \(date.timeIntervalSinceReferenceDate) s") }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .optional:
        guard let content = mirror.children.first else { return lines.append("\(path) = null") }
        draw(content.value, at: path, into: &lines)
    case .collection, .set:
        lines.append("\(path) has \(mirror.children.count)")
        for (index, child) in mirror.children.enumerated() { draw(child.value, at: "\(path)/\(index)", into: &lines) }
    case .dictionary:
        let entries = mirror.children.compactMap { child -> (key: String, value: Any)? in
            let pair = Array(Mirror(reflecting: child.value).children)
            guard pair.count == 2, let key = pair[0].value as? String else { return nil }
            return (key, pair[1].value)
        }
        lines.append("\(path) has \(entries.count)")
        for entry in entries.sorted(by: { $0.key < $1.key }) {
            draw(entry.value, at: "\(path)/\(entry.key)", into: &lines)
        }
    default: lines.append("\(path) = \(type(of: value)) \(String(reflecting: value))")
    }
}

/// JSON text that is the same for equal values.
func canonicalText(_ value: JSONValue) -> String {
    var options = JSONWritingOptions()
    options.sortedKeys = true
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

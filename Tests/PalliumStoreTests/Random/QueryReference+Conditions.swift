import Foundation
import Pallium

// What conditions mean, and which are mistakes.
extension QueryReference {
    func holds(_ condition: PlainCondition, for row: PlainModel) throws(Mistake) -> Bool {
        try holds(condition, for: Subject(start: .model(row.schema, isRow: true), model: row))
    }

    func kind(_ key: String, _ start: Start) throws(Mistake) -> PlainKind {
        if key.hasPrefix(PlainCondition.folded) {
            let kind = try kind(String(key.dropFirst(PlainCondition.folded.count)), start)
            switch kind.asList {
            case .text, .list(.text): return kind
            default: throw Mistake(codes: Self.misfits)
            }
        }
        guard key.hasPrefix(PlainCondition.count) else { return try path(key, start).kind }
        _ = try self.start(ofElementsIn: path(String(key.dropFirst(PlainCondition.count.count)), start).kind)
        return .integer(Int.min...Int.max)
    }

    func holds(_ condition: PlainCondition, for subject: Subject) throws(Mistake) -> Bool {
        var start = subject.start
        if case .model(_, let isRow) = start, let model = subject.model { start = .model(model.schema, isRow: isRow) }
        let condition = spelledOut(condition, start)
        switch condition {
        case .compare(let key, let comparison, let operand):
            let found = value(key, of: subject)
            guard let operand else { return (found == nil) == (comparison == .equal) }
            guard let found else { return comparison == .different }
            let wanted = try converted(operand, to: kind(key, start))
            let order = found.compared(to: key.hasPrefix(PlainCondition.folded) ? wanted.folded : wanted) ?? 2
            return switch comparison {
            case .equal: order == 0
            case .different: order != 0
            case .less: order < 0
            case .atMost: order <= 0
            case .greater: order > 0
            case .atLeast: order >= 0
            }
        case .isIn(let key, let values):
            for value in values where try holds(.compare(key, .equal, value), for: subject) { return true }
            return false
        case .contains(let key, let operand):
            let operand = key.hasPrefix(PlainCondition.folded) ? operand.folded : operand
            switch value(key, of: subject) {
            case .text(let text):
                guard case .text(let part) = operand else { return false }
                return text.bytes(contain: part)
            case .list(let elements), .set(let elements):
                guard case .list(let kind) = try kind(key, start).asList else { return false }
                let operand = try converted(operand, to: kind)
                return elements.contains { $0.untilNull.compared(to: operand) == 0 }
            default: return false
            }
        case .hasPrefix(let key, let prefix):
            guard let text = value(key, of: subject)?.asText else { return false }
            if key.hasPrefix(PlainCondition.folded), let prefix = PlainValue.text(prefix).folded.asText {
                return text.utf8.starts(with: prefix.utf8)
            }
            return text.utf8.starts(with: prefix.utf8)
        case .elements(let key, let quantifier, let inner):
            var count = 0
            let elements = try elements(key, of: subject, kind(key, start))
            for element in elements where try meets(element, inner) { count += 1 }
            return switch quantifier {
            case .any: count > 0
            case .all: count == elements.count
            case .none: count == 0
            }
        case .and(let left, let right):
            let (left, right) = (try holds(left, for: subject), try holds(right, for: subject))
            return left && right
        case .or(let left, let right):
            let (left, right) = (try holds(left, for: subject), try holds(right, for: subject))
            return left || right
        case .not(let inner): return try !holds(inner, for: subject)
        }
    }

    /// Throws for a condition that is a mistake whatever the models are.
    func check(_ condition: PlainCondition, _ start: Start) throws(Mistake) {
        switch spelledOut(condition, start) {
        case .compare(let key, _, let operand):
            let kind = try kind(key, start)
            if let operand { _ = try converted(operand, to: kind) }
        case .isIn(let key, let operands):
            let kind = try kind(key, start)
            for operand in operands { _ = try converted(operand, to: kind) }
        case .contains(let key, let operand):
            switch try kind(key, start).asList {
            case .list(let element): _ = try converted(operand, to: element)
            case .text: _ = try converted(operand, to: .text)
            default: throw Mistake(codes: Self.misfits)
            }
        case .hasPrefix(let key, _):
            switch try kind(key, start) {
            case .text, .url: break
            default: throw Mistake(codes: Self.misfits)
            }
        case .elements(let key, _, let inner):
            let kind = try kind(key, start)
            if [PlainCondition.count, PlainCondition.folded].contains(where: { key.hasPrefix($0) }) {
                throw Mistake(codes: Self.misfits)
            }
            try check(inner, self.start(ofElementsIn: kind))
        case .and(let left, let right), .or(let left, let right):
            try check(left, start)
            try check(right, start)
        case .not(let inner): try check(inner, start)
        }
    }

    /// A value as the kind of the property has it.
    func converted(_ value: PlainValue, to kind: PlainKind) throws(Mistake) -> PlainValue {
        switch (kind, value) {
        case (.bool, .bool), (.double, .double), (.text, .text), (.date, .date), (.url, .url), (.uuid, .uuid),
            (.cases(nil), .text), (.unsigned, .unsigned), (.decimal, .decimal):
            return value
        case (.decimal, .integer(let number)): return .decimal(Decimal(number))
        case (.decimal, .unsigned(let number)): return .decimal(Decimal(number))
        case (.decimal, .double(let number)): return .decimal(Decimal(number))
        case (.unsigned, .integer(let number)):
            guard let number = UInt(exactly: number) else { throw Mistake(codes: Self.misfits) }
            return .unsigned(number)
        case (.unsigned, .double(let number)):
            guard let number = UInt(exactly: number) else { throw Mistake(codes: Self.misfits) }
            return .unsigned(number)
        case (.cases(let cases?), .text(let text)):
            guard cases.contains(text) else { throw Mistake(codes: [.unknownCase]) }
            return value
        case (.integer(let range), .integer(let number)):
            guard range.contains(number) else { throw Mistake(codes: Self.misfits) }
            return value
        case (.integer, .double(let number)):
            guard let number = Int(exactly: number) else { throw Mistake(codes: Self.misfits) }
            return try converted(.integer(number), to: kind)
        case (.double, .integer(let number)):
            guard let number = Double(exactly: number) else { throw Mistake(codes: Self.misfits) }
            return .double(number)
        default: throw Mistake(codes: Self.misfits)
        }
    }
}

extension PlainKind {
    var hasOrder: Bool {
        switch self {
        case .bool, .integer, .unsigned, .double, .decimal, .text, .date, .url, .uuid, .cases: true
        case .list, .set, .table, .model, .reference: false
        }
    }

    var asList: PlainKind {
        if case .set(let element) = self { .list(element) } else { self }
    }
}

import Foundation
import Pallium

/// A named transformer that steps use, and what the article says of it.
struct EvolvedTransformer: Sendable {
    /// The value is refused.
    struct Refusal: Error {}

    let name: TransformerName
    let input: EvolvedKind
    let output: EvolvedKind
    /// The value of the output kind; not called for null.
    let convert: @Sendable (EvolvedValue) throws -> EvolvedValue

    private init(
        _ name: TransformerName, _ input: EvolvedKind, _ output: EvolvedKind,
        _ convert: @escaping @Sendable (EvolvedValue) throws -> EvolvedValue
    ) {
        (self.name, self.input, self.output, self.convert) = (name, input, output, convert)
    }

    /// A conversion of text, which is refused where it has no result.
    private static func text(
        _ name: TransformerName, _ texts: EvolvedKind.Texts, _ output: EvolvedKind,
        _ convert: @escaping @Sendable (String) -> EvolvedValue?
    ) -> EvolvedTransformer {
        EvolvedTransformer(name, .string(texts), output) { value in
            guard let result = value.text.flatMap(convert) else { throw Refusal() }
            return result
        }
    }

    static let predefined: [EvolvedTransformer] = [
        text(DateOnlyTransformerName, .day, .date) { date($0 + "T00:00:00Z") },
        text(ISO8601DateTransformerName, .moment, .date) { date($0) },
        text(IntegerTextTransformerName, .digits, .integer) { Int64($0).map { .integer($0) } },
        text(NumberOrTextTransformerName, .digits, .integer) { Int64($0).map { .integer($0) } },
        text(DecimalTextTransformerName, .decimal, .decimal) {
            isNumber($0) ? Decimal(string: $0).map { .decimal($0) } : nil
        },
        text(UUIDTransformerName, .uuid, .uuid) { UUID(uuidString: $0).map { .uuid($0) } },
        text(URLTransformerName, .url, .url) { $0.hasPrefix("https:") ? .url($0) : nil },
        text(Base64DataTransformerName, .base64, .data) { Data(base64Encoded: $0).map { .data($0) } },
        text(EmptyTextAsNullTransformerName, .words, .string(.words)) { $0.isEmpty ? .null : .string($0) },
        EvolvedTransformer(UnixSecondsTransformerName, .integer, .date) { value in
            .date(Date(timeIntervalSince1970: Double(value.integer ?? 0)))
        },
        EvolvedTransformer(UnixMillisecondsTransformerName, .integer, .date) { value in
            .date(Date(timeIntervalSince1970: Double(value.integer ?? 0) / 1000))
        },
        EvolvedTransformer(BooleanTransformerName, .bit, .bool) { .bool($0.integer == 1) },
    ]

    /// Those that the program registers, from every kind of value that a step can meet.
    static let registered: [(EvolvedTransformer, Transformer)] = [
        make("Digits", .integer, .string(.digits), { (value: Int, _) in "\(value)" }) { "\($0.integer ?? 0)" },
        make("Upper", .string(.words), .string(.words), { (value: String, _) in value.uppercased() }) {
            ($0.text ?? "").uppercased()
        },
        make("Days", .date, .integer, { (value: Date, _) in days(value) }) {
            if case .date(let date) = $0 { days(date) } else { 0 }
        },
        make("UUIDText", .uuid, .string(.uuid), { (value: UUID, _) in value.uuidString }) {
            if case .uuid(let value) = $0 { value.uuidString } else { "" }
        },
        make("Address", .url, .string(.url), { (value: URL, _) in value.absoluteString }) { $0.text ?? "" },
        make("Rounded", .double, .integer, { (value: Double, _) in Int(value.rounded()) }) {
            if case .double(let value) = $0 { Int(value.rounded()) } else { 0 }
        },
        make("DecimalDigits", .decimal, .string(.decimal), { (value: Decimal, _) in "\(value)" }) {
            if case .decimal(let value) = $0 { "\(value)" } else { "" }
        },
        make("Count", .data, .integer, { (value: Data, _) in value.count }) {
            if case .data(let value) = $0 { value.count } else { 0 }
        },
        make("YesNo", .bool, .string(.words), { (value: Bool, _) in value ? "yes" : "no" }) {
            $0 == .bool(true) ? "yes" : "no"
        },
        make("Length", .enumeration, .integer, { (value: String, _) in value.utf8.count }) { $0.text?.utf8.count ?? 0 },
        make("Words", .string(.words), .array(.string(.words)), { (value: String, _) in words(value) }) {
            words($0.text ?? "")
        },
        make("Boxed", .integer, .json, { (value: JSONValue, _) in ["box": value] as JSONValue }) { value in
            ["box": .number(JSONNumber(value.integer ?? 0))] as JSONValue
        },
    ]

    static let all = predefined + registered.map(\.0)

    private static func make<Input: PropertyValue, Output: PropertyValue>(
        _ name: TransformerName, _ input: EvolvedKind, _ output: EvolvedKind,
        _ convert: @escaping @Sendable (Input, Transformer.Context) -> Output,
        _ plain: @escaping @Sendable (EvolvedValue) -> Output
    ) -> (EvolvedTransformer, Transformer) {
        let evolved = EvolvedTransformer(name, input, output) { value in
            switch plain(value) {
            case let result as Int: .integer(Int64(result))
            case let result as String: .string(result)
            case let result as [String]: .array(result.map { .string($0) })
            case let result as JSONValue: .json(result)
            default: throw Refusal()
            }
        }
        return (evolved, Transformer(from: Input.self, to: Output.self, forward: convert))
    }

    private static func days(_ date: Date) -> Int { Int((date.timeIntervalSince1970 / 86_400).rounded(.down)) }
    private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
    private static func isNumber(_ text: String) -> Bool { text.allSatisfy { "0123456789.-".contains($0) } }

    /// The date of a text such as `2026-01-31T12:00:00Z`; nil for other texts.
    static func date(_ text: String) -> EvolvedValue? {
        let numbers = text.dropLast().split(whereSeparator: { "-T:".contains($0) }).map { Int($0) }
        guard text.utf8.count == 20, text.hasSuffix("Z"), numbers.count == 6 else { return nil }
        let parts = numbers.compactMap(\.self)
        guard parts.count == 6 else { return nil }
        let days = Self.days(year: parts[0], month: parts[1], day: parts[2])
        return .date(
            Date(timeIntervalSince1970: Double(days * 86_400 + parts[3] * 3_600 + parts[4] * 60 + parts[5])))
    }

    /// The days since 1970 of a day of the Gregorian calendar, counted year by year and month by month.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        var days = day - 1
        for other in min(year, 1970)..<max(year, 1970) { days += (year < 1970 ? -1 : 1) * (isLeap(other) ? 366 : 365) }
        for other in 1..<month {
            days += other == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(other) ? 30 : 31
        }
        return days
    }
}

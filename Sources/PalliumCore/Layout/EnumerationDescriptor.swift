/// The cases of an enumeration, compiled for look-up by bytes.
package final class EnumerationDescriptor: Sendable {
    package let schema: EnumerationSchema
    /// All texts: those that are written, and the aliases.
    package let texts: KeyTable
    /// The case number of each text in `texts`.
    package let caseOfText: [Int]
    private let caseOfNumber: [Int64: Int]
    package let fallbackNumber: Int

    init(_ schema: EnumerationSchema) {
        self.schema = schema
        var names: [String] = []
        var cases: [Int] = []
        var numbers: [Int64: Int] = [:]
        for (number, item) in schema.cases.enumerated() {
            for raw in [item.rawValue] + item.aliases {
                switch raw {
                case .text(let text):
                    names.append(text)
                    cases.append(number)
                case .number(let value): numbers[value] = numbers[value] ?? number
                }
            }
        }
        texts = KeyTable(names)
        caseOfText = cases
        caseOfNumber = numbers
        if case .fallback(let raw) = schema.unknown {
            fallbackNumber = schema.cases.firstIndex { $0.rawValue == raw } ?? 0
        } else {
            fallbackNumber = 0
        }
    }

    /// Returns the number of the case of a text, by the number of the text in `texts` or -1 for others; -1 if there is none.
    @inline(__always)
    package func caseNumber(ofText number: Int) -> Int { number < 0 ? -1 : caseOfText[number] }

    /// Returns the case text that an unknown text probably means.
    func nearestText(to text: String) -> String? {
        ModelError.nearest(
            to: text,
            among: schema.cases.prefix(ModelError.maximumCandidates).flatMap { [$0.rawValue] + $0.aliases.prefix(8) }
                .compactMap { if case .text(let text) = $0 { text } else { nil } })
    }

    package func caseNumber(for raw: EnumerationSchema.RawValue) -> Int? {
        switch raw {
        case .text(let text): texts.find(text).map { caseOfText[$0] }
        case .number(let number): caseOfNumber[number]
        }
    }
}

import Pallium

extension SchemaPaths {
    /// Takes the values of `--schemas`.
    ///
    /// - Throws: ``UsageError`` if there is none, and the command has the option.
    init(option parsed: ParsedArguments) throws(UsageError) {
        let paths = parsed.lists[.schemas] ?? []
        if paths.isEmpty, parsed.command.options.contains(.schemas) { throw parsed.missing(.schemas) }
        self.init(paths)
    }

    /// Takes all operands.
    ///
    /// - Throws: ``UsageError`` if there is none.
    init(operands parsed: ParsedArguments) throws(UsageError) {
        guard !parsed.operands.isEmpty else {
            throw parsed.error("\(parsed.command.name) needs a folder or file with schema documents")
        }
        self.init(parsed.operands)
    }

    /// Takes an operand, and the values of `--schemas` for what it refers to.
    init(operand: String, _ parsed: ParsedArguments) { self.init([operand] + (parsed.lists[.schemas] ?? [])) }

    /// Returns the end of a run by problems of the documents.
    func refusal(of error: SchemaError) -> Interruption {
        .refused(sentence(for: error.problems), details: lines(for: error.problems))
    }
}

package import PalliumJSON

// Converts syntax errors.
extension ModelError {
    /// Creates the error for a syntax error, with line and column in its text.
    package init(_ error: JSONSyntaxError, in bytes: BorrowedBytes) {
        self = ModelError(error).at(error.location(in: bytes))
    }

    /// Creates the error for a syntax error, without line and column.
    package init(_ error: JSONSyntaxError) {
        let code: Code =
            switch error.code {
            case .depthLimit, .documentTooLarge, .stringTooLong, .nameTooLong, .numberTooLong, .tooManyValues:
                .limitExceeded
            case .duplicateMember: .duplicateMember
            default: .malformedJSON
            }
        self.init(code, expected: error.expected, found: error.foundText)
    }
}

package import PalliumJSON

// Safety: the bytes are lent for the call.
extension ModelError {
    /// A syntax error, with line and column in the text it was found in.
    package init(_ error: JSONSyntaxError, in bytes: UnsafeRawBufferPointer) {
        self = unsafe ModelError(error).at(error.location(in: bytes))
    }

    /// A syntax error without its place.
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

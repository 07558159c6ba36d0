/// Changes between capital and small letters by the mappings of Unicode, which no locale changes.
extension StringProtocol {
    /// The text in small letters.
    package var inLowercase: String { unicodeScalars.map(\.properties.lowercaseMapping).joined() }

    /// The text in capitals.
    package var inUppercase: String { unicodeScalars.map(\.properties.uppercaseMapping).joined() }
}

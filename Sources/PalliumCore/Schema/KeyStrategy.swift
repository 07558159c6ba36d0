import PalliumJSON

extension ModelSchema {
    /// The rule by which a schema derives JSON member names from keys.
    ///
    /// The strategy of the schema that declares a property applies to it. A descendant keeps the names of inherited
    /// properties; its own strategy applies to properties that it declares or redeclares.
    public enum KeyStrategy: String, Sendable, Hashable, CaseIterable {
        /// The key itself.
        case identity
        /// `htmlURL` becomes `html_url`.
        ///
        /// A capital letter begins a word unless it follows another capital. The last of several capitals begins a word
        /// if a small letter follows it. Digits end a word only before a capital. An `s` after several capitals is
        /// their plural:
        ///
        ///     htmlURL2 → html_url2    isUTF8 → is_utf8    MD5 → md5    userIDs → user_ids    utf8Text → utf8_text
        case snakeCase
        /// No names: only properties with an explicit JSON key path are mapped, as in Mantle 2 (conformance C125).
        case explicit

        /// Returns the member name for a key; nil when only explicit key paths are mapped.
        package func memberName(for key: String) -> String? {
            switch self {
            case .identity: key
            case .snakeCase: Self.snakeCase(key)
            case .explicit: nil
            }
        }

        /// Returns the simplest key with a member name; nil when there is none: `html_url` gives `htmlUrl`.
        package func key(forMember name: String) -> String? {
            switch self {
            case .identity: return name
            case .snakeCase:
                // Underscores at the beginning belong to the first word.
                let start = name.prefix { $0 == "_" }
                let words = name.dropFirst(start.count).split(separator: "_", omittingEmptySubsequences: false)
                let key = start + (words.first ?? "") + words.dropFirst().map(Self.withCapital).joined()
                return UTF8Text.equal(Self.snakeCase(String(key)), name) ? String(key) : nil
            case .explicit: return nil
            }
        }

        private static func withCapital(_ word: Substring) -> String {
            guard let first = word.utf8.first, first >= 97, first <= 122 else { return String(word) }
            return String(UnicodeScalar(first & 0xDF)) + word.dropFirst()
        }

        private static func snakeCase(_ key: String) -> String {
            let bytes = Array(key.utf8)
            func isCapital(_ index: Int) -> Bool { bytes[index] >= 65 && bytes[index] <= 90 }
            func isSmall(_ index: Int) -> Bool { index < bytes.count && bytes[index] >= 97 && bytes[index] <= 122 }
            /// Whether the letter after a run of capitals is the plural of the run, as in `IDs` and `URLsByName`.
            func isPlural(_ index: Int) -> Bool { bytes[index] == UInt8(ascii: "s") && !isSmall(index + 1) }
            var result: [UInt8] = []
            for index in bytes.indices {
                if isCapital(index) {
                    let startsWord =
                        index > 0 && (!isCapital(index - 1) || (isSmall(index + 1) && !isPlural(index + 1)))
                    if startsWord, result.last != UInt8(ascii: "_") { result.append(UInt8(ascii: "_")) }
                    result.append(bytes[index] | 0x20)
                } else {
                    result.append(bytes[index])
                }
            }
            return String(decoding: result, as: UTF8.self)
        }
    }
}

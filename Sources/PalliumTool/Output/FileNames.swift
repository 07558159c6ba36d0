import Pallium

/// Makes different names of files from any texts, also where letters of both cases are the same.
struct FileNames {
    private var taken: Set<String> = []
    private var nextNumbers: [String: Int] = [:]

    /// Returns a name of letters, digits, hyphens and underscores.
    mutating func name(for text: String) -> String {
        var base = ""
        for scalar in text.unicodeScalars.prefix(100) {
            let isPlain =
                scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-")
            base.unicodeScalars.append(isPlain ? scalar : "_")
        }
        if base.isEmpty { base = "_" }
        let key = base.inLowercase
        if taken.insert(key).inserted { return base }
        var number = nextNumbers[key] ?? 2
        while !taken.insert("\(key)_\(number)").inserted { number += 1 }
        nextNumbers[key] = number + 1
        return "\(base)_\(number)"
    }
}

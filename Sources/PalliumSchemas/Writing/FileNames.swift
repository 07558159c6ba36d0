import PalliumCore
import PalliumJSON

/// Makes different names of files for schemas, also where the file system ignores case.
package struct FileNames {
    /// A name of 256 characters can be too long for a file system.
    private static let maximumBytes = 200
    private var taken: Set<UTF8Key> = []
    private var nextNumbers: [UTF8Key: Int] = [:]

    package init() {}

    /// Returns a name without an ending: letters, digits, hyphens and underscores. `Issue` gives `Issue`, and `issue` after
    /// that gives `issue-2`.
    package mutating func take(_ name: String) -> String {
        var base = ""
        for scalar in name.unicodeScalars {
            if base.utf8.count + UTF8.width(scalar) > Self.maximumBytes { break }
            let isPlain =
                scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
                || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
            base.unicodeScalars.append(isPlain ? scalar : "_")
        }
        if base.isEmpty { base = "_" }
        let key = base.inLowercase
        if taken.insert(UTF8Key(key)).inserted { return base }
        var number = nextNumbers[UTF8Key(key)] ?? 2
        while !taken.insert(UTF8Key("\(key)-\(number)")).inserted { number += 1 }
        nextNumbers[UTF8Key(key)] = number + 1
        return "\(base)-\(number)"
    }
}

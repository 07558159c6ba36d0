import PalliumCore
import PalliumJSON

/// Makes different names of files for schemas, also where the file system ignores case.
package struct FileNames {
    /// A name of 256 characters can be too long for a file system.
    private static let maximumBytes = 200
    private var names = UniqueNames(separator: "-", ignoresCase: true)

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
        return names.take(base.isEmpty ? "_" : base)
    }
}

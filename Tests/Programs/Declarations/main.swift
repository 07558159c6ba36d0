import Foundation
import Pallium

// Prints the public declarations of symbol graphs in their order, and fails for types that no article shows: see `.ci/api`.
//
// usage: Declarations FOLDER ARTICLE…

guard CommandLine.arguments.count > 2 else {
    FileHandle.standardError.write(Data("usage: Declarations FOLDER ARTICLE…\n".utf8))
    exit(2)
}
let folder = URL(fileURLWithPath: CommandLine.arguments[1])
var declarations = DeclarationList()
for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasSuffix(".symbols.json") {
    declarations.add(try JSONValue(parsing: Data(contentsOf: folder.appendingPathComponent(name))))
}
for line in declarations.lines.sorted() { print(line) }
let articles = try CommandLine.arguments.dropFirst(2).map { try String(contentsOfFile: $0, encoding: .utf8) }
let missing = declarations.types.subtracting(articles.flatMap { $0.matches(of: #/\w+/#).map { String($0.output) } })
if !missing.isEmpty {
    FileHandle.standardError.write(Data("no article shows \(missing.sorted().joined(separator: ", "))\n".utf8))
    exit(1)
}

/// Where a type names what a module declares.
enum ModuleUse: Comparable {
    case nowhere, inBodies, inInterface
}

/// A type of generated code.
struct TypeText {
    /// The lines of the type; the last one ends, too.
    let text: String
    let foundation: ModuleUse
    let observation: ModuleUse
    let pallium: ModuleUse
}

/// Writes a file: the header, the imports that its types need, and the types.
struct FileText {
    let types: [TypeText]
    let access: SwiftGenerator.Access

    /// The text of the file.
    var text: String {
        var file = SourceText()
        file.append([SwiftGenerator.header])
        // Only what the documents describe has a comment.
        if access == .public { file.append(["// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation"]) }
        file.append([""])
        file.append(imports)
        return types.reduce(into: file.text) { $0 += "\n\($1.text)" }
    }

    /// The imports. A module that the interface names is imported as others see the interface.
    private var imports: [String] {
        let uses = [
            ("Foundation", types.map(\.foundation).max()), ("Observation", types.map(\.observation).max()),
            ("Pallium", types.map(\.pallium).max()),
        ]
        let isSeen = access != .internal
        let hidden = uses.filter { $0.1 == .inBodies || $0.1 == .inInterface && !isSeen }.map { "import \($0.0)" }
        let seen = isSeen ? uses.filter { $0.1 == .inInterface }.map(\.0) : []
        return hidden + (seen.isEmpty ? [] : importsThatOthersSee(seen))
    }

    /// The compiler refuses `package import` beside the plain imports of other files, unless these are internal.
    private func importsThatOthersSee(_ modules: [String]) -> [String] {
        if access == .public { return modules.map { "public import \($0)" } }
        return ["#if hasFeature(InternalImportsByDefault)"] + modules.map { "    package import \($0)" }
            + ["#else"] + modules.map { "    import \($0)" } + ["#endif"]
    }
}

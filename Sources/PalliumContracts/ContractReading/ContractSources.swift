import Foundation
import PalliumCore
import PalliumDocuments
import PalliumJSON

/// The documents of a contract, and what references in them mean.
///
/// The offsets of all documents are different: those of the second begin where the first ends, so an offset alone is a
/// place.
///
///     issue.json      0 ──────────── 840
///     shared.json     840 ─────────────────── 2210
struct ContractSources {
    /// A document with its text.
    struct Document {
        let text: SchemaDocument
        let base: Int
        let root: LocatedJSON
        let version: ContractVersion
        /// The path; nil if it is not known.
        let path: String?
    }

    /// A part with an address of its own, by `$id`.
    private struct Resource {
        let address: String
        let root: LocatedJSON
        let end: Int
        /// The position of the part around it.
        let parent: Int?
    }

    /// The schema that a reference leads to, or the reason why it cannot be followed.
    enum Target {
        case found(LocatedJSON)
        case missing(String)
    }

    private(set) var documents: [Document] = []
    private let folder: String?
    private var resources: [Resource] = []
    private var resourcesByAddress: [UTF8Key: Int] = [:]
    private var anchors: [UTF8Key: [LocatedJSON]] = [:]
    private var documentsByPath: [String: Int?] = [:]
    /// The positions of members by name, for large objects.
    private var indexes: [Int: [UTF8Key: Int]] = [:]
    private var targets: [UTF8Key: Target] = [:]
    /// The number of bytes of all documents.
    private(set) var end = 0

    /// - Parameters:
    ///   - path: The path of the document; nil if it is not known.
    ///   - folder: The folder with other documents; by default, that of the path.
    init(_ text: SchemaDocument, _ root: LocatedJSON, path: String?, folder: String?) {
        let folder = folder ?? path.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path }
        self.folder = folder.map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().standardizedFileURL.path }
        add(text, root, path: path ?? self.folder.map { $0 + "/-" })
        if let path { documentsByPath[URL(fileURLWithPath: path).resolvingSymlinksInPath().path] = .some(0) }
    }

    private mutating func add(_ text: SchemaDocument, _ root: LocatedJSON, path: String?) {
        let root = end == 0 ? root : root.moved(by: end)
        documents.append(
            Document(text: text, base: end, root: root, version: ContractVersion(of: root), path: path))
        end += text.bytes.count + 1
        resources.append(Resource(address: Self.address(of: root) ?? "", root: root, end: end, parent: nil))
        if let address = Self.address(of: root) { resourcesByAddress[UTF8Key(address)] = resources.count - 1 }
        index(root, end: end, in: resources.count - 1, isSchema: true)
    }

    /// The document of an offset.
    func document(at offset: Int) -> Document {
        documents.last { $0.base <= offset } ?? documents[0]
    }

    // MARK: Addresses

    private static func address(of schema: LocatedJSON) -> String? {
        guard let text = (schema["$id"] ?? schema["id"])?.text, !text.isEmpty else { return nil }
        return text.utf8.last == UInt8(ascii: "#") ? String(text.dropLast()) : text
    }

    /// Collects the addresses and anchors inside of a document, whose nesting is limited.
    private mutating func index(_ value: LocatedJSON, end: Int, in resource: Int, isSchema: Bool) {
        switch value.content {
        case .array(let elements):
            for (position, element) in elements.enumerated() {
                let next = position + 1 < elements.count ? elements[position + 1].offset : end
                index(element, end: next, in: resource, isSchema: isSchema)
            }
        case .object(let members):
            var resource = resource
            if isSchema, value.offset != resources[resource].root.offset, let text = Self.address(of: value) {
                let isAnchor = text.utf8.first == UInt8(ascii: "#")
                if isAnchor {
                    anchors[UTF8Key(String(text.dropFirst())), default: []].append(value)
                } else {
                    let address = Self.resolve(text, resources[resource].address)
                    resources.append(Resource(address: address, root: value, end: end, parent: resource))
                    resource = resources.count - 1
                    resourcesByAddress[UTF8Key(address)] = resource
                }
            }
            for (position, member) in members.enumerated() {
                let next = position + 1 < members.count ? members[position + 1].nameOffset : end
                if isSchema, UTF8Text.equal(member.name, "$anchor") || UTF8Text.equal(member.name, "$dynamicAnchor"),
                    let name = member.value.text
                {
                    anchors[UTF8Key(name), default: []].append(value)
                }
                let holdsValues = ["enum", "const", "default", "example", "examples"].contains(member.name)
                index(member.value, end: next, in: resource, isSchema: isSchema && !holdsValues)
            }
        default: break
        }
    }

    /// The innermost part with an address of its own around an offset.
    private func resource(at offset: Int) -> Int {
        var low = 0
        var high = resources.count
        // Parts are collected in the order of their offsets.
        while low < high {
            let middle = (low + high) / 2
            if resources[middle].root.offset <= offset { low = middle + 1 } else { high = middle }
        }
        var position = max(0, low - 1)
        while resources[position].end <= offset, let parent = resources[position].parent { position = parent }
        return position
    }

    /// Resolves an address against another (RFC 3986).
    private static func resolve(_ text: String, _ base: String) -> String {
        guard !base.isEmpty, let url = URL(string: base) else { return text }
        return URL(string: text, relativeTo: url)?.absoluteString ?? text
    }

    // MARK: References

    /// Returns the value that a reference at an offset leads to.
    ///
    /// - Parameter isDynamic: Whether it is a `$dynamicRef`.
    mutating func target(of text: String, at offset: Int, isDynamic: Bool) -> Target {
        let resource = resource(at: offset)
        let key = UTF8Key("\(resource) \(isDynamic) \(text)")
        if let known = targets[key] { return known }
        let target = find(text, from: resource, at: offset, isDynamic)
        targets[key] = target
        return target
    }

    private mutating func find(_ text: String, from resource: Int, at offset: Int, _ isDynamic: Bool) -> Target {
        let parts = text.utf8.split(separator: UInt8(ascii: "#"), maxSplits: 1, omittingEmptySubsequences: false)
        let address = String(Substring(parts[0]))
        guard let fragment = parts.count > 1 ? Self.unescaped(Substring(parts[1])) : "" else {
            return .missing("its escapes are malformed")
        }
        var roots: [LocatedJSON] = []
        if address.isEmpty {
            // Documents with `$id` in their parts often mean the whole document nevertheless.
            roots = [resources[resource].root, document(at: offset).root]
        } else {
            let full = Self.resolve(address, resources[resource].address)
            if let found = resourcesByAddress[UTF8Key(full)] ?? resourcesByAddress[UTF8Key(address)] {
                roots = [resources[found].root]
            } else {
                switch file(address, from: document(at: offset)) {
                case .found(let root): roots = [root]
                case .missing(let reason): return .missing(reason)
                }
            }
        }
        if fragment.isEmpty { return .found(roots[0]) }
        guard fragment.utf8.first == UInt8(ascii: "/") else {
            let named = anchors[UTF8Key(fragment)] ?? []
            if isDynamic, named.count > 1 { return .missing("several schemas have this dynamic anchor") }
            let inside = named.first { self.resource(at: $0.offset) == resource }
            return (inside ?? named.first).map { .found($0) } ?? .missing("there is no such anchor")
        }
        guard let pointer = JSONPointer(fragment) else { return .missing("its escapes are malformed") }
        for root in roots {
            if let value = value(at: pointer, in: root) { return .found(value) }
        }
        return .missing("it leads nowhere, which is a mistake of the contract")
    }

    /// Returns the value at a pointer.
    private mutating func value(at pointer: JSONPointer, in root: LocatedJSON) -> LocatedJSON? {
        var value = root
        for token in pointer.tokens {
            switch value.content {
            case .object(let members):
                guard let position = position(of: token, in: members, at: value.offset) else { return nil }
                value = members[position].value
            case .array(let elements):
                guard let position = JSONPointer.arrayPosition(token), elements.indices.contains(position) else {
                    return nil
                }
                value = elements[position]
            default: return nil
            }
        }
        return value
    }

    private mutating func position(of name: String, in members: [LocatedJSON.Member], at offset: Int) -> Int? {
        if members.count < 16 { return members.firstIndex { UTF8Text.equal($0.name, name) } }
        if indexes[offset] == nil {
            indexes[offset] = Dictionary(
                members.enumerated().map { (UTF8Key($0.element.name), $0.offset) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        return indexes[offset]?[UTF8Key(name)]
    }

    /// Undoes the escapes of URI fragments; nil for malformed ones.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(code)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    // MARK: Files

    /// Reads a file beside a document: nothing outside of the folder, and nothing from a network.
    private mutating func file(_ address: String, from document: Document) -> Target {
        guard let folder, let path = document.path else { return .missing("it leads to another document") }
        guard let relative = Self.unescaped(Substring(address)), !relative.utf8.contains(UInt8(ascii: ":")),
            !relative.utf8.contains(0), relative.utf8.first != UInt8(ascii: "/")
        else { return .missing("it leads to another document, which is no file beside this one") }
        let url = URL(fileURLWithPath: path).deletingLastPathComponent().appendingPathComponent(relative)
            .standardizedFileURL.resolvingSymlinksInPath()
        if let known = documentsByPath[url.path] {
            return known.map { .found(documents[$0].root) } ?? .missing("the file cannot be read")
        }
        guard url.path.utf8.starts(with: (folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/").utf8) else {
            return .missing("the file is outside of the folder of the contract")
        }
        documentsByPath[url.path] = .some(nil)
        let values = try? url.resourceValues(forKeys: [.isRegularFileKey, .fileSizeKey])
        guard values?.isRegularFile == true, let size = values?.fileSize else {
            return .missing("there is no such file")
        }
        guard end + size <= LocatedJSON.maximumDocumentBytes else {
            return .missing("the files have more than \(LocatedJSON.maximumDocumentBytes >> 20) MiB")
        }
        guard let bytes = try? [UInt8](Data(contentsOf: url)),
            end + bytes.count <= LocatedJSON.maximumDocumentBytes, let root = try? LocatedJSON(parsing: bytes)
        else { return .missing("the file cannot be read as JSON") }
        add(SchemaDocument(name: ModelError.shorten(relative, to: 200), bytes: bytes), root, path: url.path)
        documentsByPath[url.path] = .some(documents.count - 1)
        return .found(documents[documents.count - 1].root)
    }

    // MARK: Places

    /// Returns the pointers of values, by the offsets of the values or of their names.
    func pointers(of offsets: Set<Int>) -> [Int: String] {
        var pointers: [Int: String] = [:]
        var tokens: [String] = []
        func visit(_ value: LocatedJSON) {
            if offsets.contains(value.offset) { pointers[value.offset] = JSONPointer(tokens: tokens).description }
            switch value.content {
            case .array(let elements):
                for (position, element) in elements.enumerated() {
                    tokens.append("\(position)")
                    visit(element)
                    tokens.removeLast()
                }
            case .object(let members):
                for member in members {
                    tokens.append(member.name)
                    if offsets.contains(member.nameOffset) {
                        pointers[member.nameOffset] = JSONPointer(tokens: tokens).description
                    }
                    visit(member.value)
                    tokens.removeLast()
                }
            default: break
            }
        }
        for document in documents { visit(document.root) }
        return pointers
    }

    /// Returns the document, line and column of offsets.
    func locations(of offsets: Set<Int>) -> [Int: String] {
        var locations: [Int: String] = [:]
        for document in documents {
            let inside = offsets.filter { $0 >= document.base && $0 <= document.base + document.text.bytes.count }
            let found = document.text.locations(of: inside.map { $0 - document.base })
            for (offset, text) in found { locations[offset + document.base] = text }
        }
        return locations
    }
}

extension LocatedJSON {
    /// Returns the value with offsets that begin at another number; nesting is limited.
    fileprivate func moved(by distance: Int) -> LocatedJSON {
        let content: Content =
            switch content {
            case .array(let elements): .array(elements.map { $0.moved(by: distance) })
            case .object(let members):
                .object(
                    members.map {
                        Member(name: $0.name, nameOffset: $0.nameOffset + distance, value: $0.value.moved(by: distance))
                    })
            default: content
            }
        return LocatedJSON(offset: offset + distance, content: content)
    }
}

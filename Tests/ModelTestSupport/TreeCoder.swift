/// A coder as someone else would write it: values in a tree of objects, with nothing Foundation knows about.
package final class TreeNode {
    package enum Content {
        case null, bool(Bool), integer(Int64), unsigned(UInt64), double(Double), text(String)
        case array([TreeNode]), object([(key: String, node: TreeNode)])
    }

    package var content = Content.null

    package init(_ content: Content = .null) { self.content = content }
}

package enum TreeCoder {
    package static func encode(_ value: some Encodable, userInfo: [CodingUserInfoKey: Any] = [:]) throws -> TreeNode {
        let node = TreeNode()
        try TreeEncoder(node: node, codingPath: [], userInfo: userInfo).write(value)
        return node
    }

    package static func decode<Value: Decodable>(
        _ type: Value.Type, from node: TreeNode, userInfo: [CodingUserInfoKey: Any] = [:]
    ) throws -> Value {
        try TreeDecoder(node: node, codingPath: [], userInfo: userInfo).read(type)
    }
}

private struct TreeEncoder: Encoder, SingleValueEncodingContainer {
    let node: TreeNode
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    func write(_ value: some Encodable) throws {
        switch value {
        case let value as Bool: node.content = .bool(value)
        case let value as Int64: node.content = .integer(value)
        case let value as UInt64: node.content = .unsigned(value)
        case let value as Double: node.content = .double(value)
        case let value as String: node.content = .text(value)
        case let value as any FixedWidthInteger: node.content = .integer(Int64(value))
        default: try value.encode(to: self)
        }
    }

    func encodeNil() { node.content = .null }
    func encode(_ value: some Encodable) throws { try write(value) }
    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.content = .array([])
        return Elements(encoder: self)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.content = .object([])
        return KeyedEncodingContainer(Members(encoder: self))
    }

    struct Elements: UnkeyedEncodingContainer {
        let encoder: TreeEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int {
            if case .array(let nodes) = encoder.node.content { nodes.count } else { 0 }
        }

        func superEncoder() -> any Encoder { add() }
        func encodeNil() { add().encodeNil() }
        func encode(_ value: some Encodable) throws { try add().write(value) }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { add().unkeyedContainer() }
        func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            add().container(keyedBy: type)
        }

        private func add() -> TreeEncoder {
            guard case .array(var nodes) = encoder.node.content else { return encoder }
            let node = TreeNode()
            nodes.append(node)
            encoder.node.content = .array(nodes)
            return TreeEncoder(
                node: node, codingPath: encoder.codingPath + [Name(intValue: nodes.count - 1)],
                userInfo: encoder.userInfo)
        }
    }

    struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: TreeEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func superEncoder() -> any Encoder { add(Name(stringValue: "super")) }
        func superEncoder(forKey key: Key) -> any Encoder { add(key) }
        func encodeNil(forKey key: Key) { add(key).encodeNil() }
        func encode(_ value: some Encodable, forKey key: Key) throws { try add(key).write(value) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { add(key).unkeyedContainer() }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { add(key).container(keyedBy: type) }

        private func add(_ key: any CodingKey) -> TreeEncoder {
            guard case .object(var nodes) = encoder.node.content else { return encoder }
            let node = TreeNode()
            nodes.append((key.stringValue, node))
            encoder.node.content = .object(nodes)
            return TreeEncoder(node: node, codingPath: encoder.codingPath + [key], userInfo: encoder.userInfo)
        }
    }
}

private struct TreeDecoder: Decoder, SingleValueDecodingContainer {
    let node: TreeNode
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any]

    func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let found: Any? =
            switch node.content {
            case .bool(let value): value
            case .integer(let value): type is any FixedWidthInteger.Type ? convert(value, type) : value
            case .unsigned(let value): type is any FixedWidthInteger.Type ? convert(value, type) : value
            case .double(let value): value
            case .text(let value): value
            default: nil
            }
        if let value = found as? Value { return value }
        if type == String.self || type == Bool.self || type == Double.self || type is any FixedWidthInteger.Type {
            throw mismatch(type)
        }
        return try Value(from: self)
    }

    private func convert(_ value: some FixedWidthInteger, _ type: Any.Type) -> Any? {
        (type as? any FixedWidthInteger.Type)?.init(exactly: value)
    }

    func mismatch(_ type: Any.Type) -> DecodingError {
        .typeMismatch(type, DecodingError.Context(codingPath: codingPath, debugDescription: "another type"))
    }

    func decodeNil() -> Bool { if case .null = node.content { true } else { false } }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try read(type) }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let nodes) = node.content else { throw mismatch([Any].self) }
        return Elements(decoder: self, nodes: nodes)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let nodes) = node.content else { throw mismatch([String: Any].self) }
        return KeyedDecodingContainer(
            Members(decoder: self, nodes: Dictionary(nodes.map { ($0.key, $0.node) }, uniquingKeysWith: { $1 })))
    }

    struct Elements: UnkeyedDecodingContainer {
        let decoder: TreeDecoder
        let nodes: [TreeNode]
        var currentIndex = 0
        var codingPath: [any CodingKey] { decoder.codingPath }
        var count: Int? { nodes.count }
        var isAtEnd: Bool { currentIndex == nodes.count }

        mutating func superDecoder() throws -> any Decoder { try next { $0 } }
        mutating func decodeNil() throws -> Bool {
            guard case .null = nodes[currentIndex].content else { return false }
            currentIndex += 1
            return true
        }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next { try $0.read(type) } }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next { try $0.unkeyedContainer() }
        }
        mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            try next { try $0.container(keyedBy: type) }
        }

        private mutating func next<Value>(_ read: (TreeDecoder) throws -> Value) throws -> Value {
            let value = try read(
                TreeDecoder(
                    node: nodes[currentIndex], codingPath: codingPath + [Name(intValue: currentIndex)],
                    userInfo: decoder.userInfo))
            currentIndex += 1
            return value
        }
    }

    struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: TreeDecoder
        let nodes: [String: TreeNode]
        var codingPath: [any CodingKey] { decoder.codingPath }
        var allKeys: [Key] { nodes.keys.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { nodes[key.stringValue] != nil }
        func superDecoder() throws -> any Decoder { try member(Name(stringValue: "super")) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
        func decodeNil(forKey key: Key) throws -> Bool { try member(key).decodeNil() }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try member(key).read(type)
        }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try member(key).unkeyedContainer()
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }

        private func member(_ key: any CodingKey) throws -> TreeDecoder {
            guard let node = nodes[key.stringValue] else {
                throw DecodingError.keyNotFound(
                    key, DecodingError.Context(codingPath: codingPath, debugDescription: "no such member"))
            }
            return TreeDecoder(node: node, codingPath: codingPath + [key], userInfo: decoder.userInfo)
        }
    }
}

private struct Name: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("\(intValue)", intValue) }
}

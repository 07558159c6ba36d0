import PalliumCore
import PalliumJSON

/// Writes a class.
struct ClassText {
    let plan: ClassPlan
    let access: SwiftGenerator.Access

    /// The text of the class.
    var text: TypeText {
        var file = SourceText()
        file.append(SourceText.documentation(plan.schema.documentation, level: 0))
        let parent = plan.parent.map { SwiftName.escaped($0) } ?? "DynamicModel"
        let head =
            "\(access.modifier)nonisolated \(plan.isFinal ? "final " : "")class "
            + "\(SwiftName.escaped(plan.name)): \(parent)\(plan.isObservable ? ", Observable" : "") {"
        let body = SourceText.spaced(
            plan.enumerations.map { $0.lines(access) }
                + plan.accessors.map { lines(of: $0.member, isOverride: $0.isOverride) } + [
                    initializer, hiddenInitializer, keys,
                ])
        if SourceText.isTooLong(head, level: 0) { file.append(["// swift-format-ignore"]) }
        if body.isEmpty {
            file.append([head + "}"])
        } else {
            file.append([head])
            file.append(body, level: 1)
            file.append(["}"])
        }
        return TypeText(text: file.text, foundation: foundation, observation: observation, pallium: pallium)
    }

    /// The types that the interface names.
    private var types: [SwiftType] {
        let required = plan.hasNewRequirements ? plan.members.filter(\.property.isRequired) : []
        return (plan.accessors.map(\.member.type) + required.map(\.type)).compactMap(\.self)
    }

    private var foundation: ModuleUse { types.contains(where: \.needsFoundation) ? .inInterface : .nowhere }

    /// The compiler counts a conformance as part of the interface only if the class is public.
    private var observation: ModuleUse {
        plan.isObservable ? access == .public ? .inInterface : .inBodies : .nowhere
    }

    /// Bodies always name it. The interface does where it has a superclass, conformance, initialiser or JSON of Pallium.
    private var pallium: ModuleUse {
        let isNamed =
            plan.parent == nil || !plan.enumerations.isEmpty || !initializer.isEmpty
            || types.contains(where: \.needsPallium)
        return isNamed ? .inInterface : .inBodies
    }

    private func lines(of accessor: ClassPlan.Member, isOverride: Bool) -> [String] {
        let key = UTF8Text.equal(accessor.name, accessor.key) ? "" : SourceText.literal(accessor.key)
        guard let type = accessor.type else { return Self.lines(ofUnknown: accessor) }
        let name = SwiftName.escaped(accessor.name)
        let head = "\(access.modifier)\(isOverride ? "override " : "")var \(name): \(type.text) {"
        var lines: [String]
        if accessor.isSettable {
            lines = [
                head, "    get { value(\(key)) }", "    set { set(newValue\(key.utf8.isEmpty ? "" : ", " + key)) }",
                "}",
            ]
        } else {
            lines = ["\(head) value(\(key)) }"]
            if SourceText.isTooLong(lines[0], level: 1) { lines = [head, "    value(\(key))", "}"] }
        }
        return SourceText.documentation(accessor.property.documentation, level: 1)
            + SourceText.allowingLongNames(lines, level: 1)
    }

    /// Returns a comment in place of an accessor whose type only the application knows.
    private static func lines(ofUnknown accessor: ClassPlan.Member) -> [String] {
        let key = UTF8Text.equal(accessor.name, accessor.key) ? "" : SourceText.literal(accessor.key)
        return [
            "// \(SourceText.literal(accessor.key)) has a kind of the application. Declare its accessor in an extension:",
            "//     var \(SwiftName.escaped(accessor.name)): … { value(\(key)) }",
        ]
    }

    /// The initialiser with the required properties; no lines if the parent has the same one.
    private var initializer: [String] {
        let members = plan.members.filter { $0.property.isRequired || plan.fixedValues[UTF8Key($0.key)] != nil }
        guard plan.hasNewRequirements, !members.isEmpty else { return [] }
        return [
            "/// Makes a model with the properties that it must have.", "///",
            "/// - Throws: `ModelError` if a validator refuses a value, or the registry lacks the schema.",
        ] + SourceText.allowingLongNames(lines(ofInitializer: members), level: 1)
    }

    /// The parent's initialiser, which would make a model with another discriminator.
    private var hiddenInitializer: [String] {
        if plan.hiddenParameters.isEmpty { return [] }
        let lines = lines(ofInitializer: plan.hiddenParameters, isHidden: true)
        return ["/// Not for this class, which decides the discriminator."]
            + SourceText.allowingLongNames(["@available(*, unavailable)"] + lines, level: 1)
    }

    private func lines(ofInitializer members: [ClassPlan.Member], isHidden: Bool = false) -> [String] {
        let names = Set(members.map { UTF8Key($0.name) })
        // The body uses the names `self` and `registry` itself.
        let registry = names.contains(UTF8Key("registry")) ? Self.freeName("registry", besides: names) : "registry"
        var parameters: [String] = []
        var values: [String] = []
        for member in members {
            if !isHidden, let value = plan.fixedValues[UTF8Key(member.key)] {
                values.append("\(SourceText.literal(member.key)): \(value)")
                continue
            }
            let isSelf = UTF8Text.equal(member.name, "self")
            let name = isSelf ? Self.freeName("self", besides: names) : SwiftName.escaped(member.name)
            let label = isSelf ? "`self` \(name)" : name
            parameters.append("\(label): \(member.type?.name ?? "any PropertyValue")")
            if !isHidden { values.append("\(SourceText.literal(member.key)): \(name)") }
        }
        if isHidden { values = [":"] }
        let label = UTF8Text.equal(registry, "registry") ? registry : "registry \(registry)"
        parameters.append("\(label): SchemaRegistry = .shared")
        let head = "\(access.modifier)convenience init(\(parameters.joined(separator: ", "))) throws(ModelError) {"
        let call = "    try self.init(values: [\(values.joined(separator: ", "))], registry: \(registry))"
        var lines: [String] = []
        if SourceText.isTooLong(head, level: 1) {
            lines += ["\(access.modifier)convenience init("]
            lines += parameters.dropLast().map { "    \($0)," } + ["    \(parameters[parameters.count - 1])"]
            lines += [") throws(ModelError) {"]
        } else {
            lines += [head]
        }
        if SourceText.isTooLong(call, level: 1) {
            lines += ["    try self.init(", "        values: ["]
            lines += values.map { "            \($0)\(values.count > 1 ? "," : "")" }
            lines += ["        ],", "        registry: \(registry))"]
        } else {
            lines += [call]
        }
        return lines + ["}"]
    }

    private static func freeName(_ name: String, besides names: Set<UTF8Key>) -> String {
        var free = name + "Value"
        while names.contains(UTF8Key(free)) { free += "Value" }
        return free
    }

    /// The keys of all properties; no lines if the parent has the same ones.
    private var keys: [String] {
        guard plan.hasNewMembers else { return [] }
        let constants = plan.members.map {
            "    \(access.modifier)static let \(SwiftName.escaped($0.name)) = \(SourceText.literal($0.key))"
        }
        return ["/// The keys of the properties."]
            + SourceText.allowingLongNames(["\(access.modifier)nonisolated enum Keys {"] + constants + ["}"], level: 1)
    }
}

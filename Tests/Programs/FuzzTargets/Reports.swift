import Pallium
import PalliumContracts
import PalliumTrials

/// A report of drift is refused with a useful error, or it can be shown, compared and written again.
enum Reports {
    static func check(_ bytes: [UInt8]) throws {
        var report: DriftReport
        do { report = try DriftReport(json: bytes) } catch {
            return try promise("\(error)".utf8.count <= 512, "an error of more than 512 bytes: \(error)")
        }
        _ = report.text
        let again = try DriftReport(json: report.json.bytes())
        try promise(try again.json.bytes() == report.json.bytes(), "another report after writing")
        report.compare(with: again)
        _ = report.text
    }
}

/// A contract is refused with every problem, or its schemas can be written as a contract and read again.
enum ContractDocuments {
    static func check(_ bytes: [UInt8]) throws {
        for isOpenAPI in [false, true] {
            let registry = SchemaRegistry()
            let contract: ContractSchemas
            do {
                contract =
                    isOpenAPI ? try registry.load(openAPI: bytes) : try registry.load(jsonSchema: bytes)
            } catch { continue }
            for schema in contract.schemas {
                _ = try JSONAdapter(schema: schema, registry: registry).report(from: "{}")
            }
            _ = try registry.openAPI(title: "")
        }
    }
}

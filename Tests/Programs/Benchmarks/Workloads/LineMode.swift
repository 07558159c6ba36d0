import Foundation
import Pallium

/// Documents as lines, for programs that are measured from outside: see `.ci/lines`.
enum LineMode {
    enum Kind: String, CaseIterable { case issues, events }

    static func run(_ kind: Kind, count: Int) throws {
        var bytes: [UInt8] = []
        func add(_ document: DocumentValue) throws {
            document.write(to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
            if bytes.count > 1 << 20 { try flush() }
        }
        func flush() throws {
            try FileHandle.standardOutput.write(contentsOf: bytes)
            bytes.removeAll(keepingCapacity: true)
        }
        switch kind {
        case .issues:
            var issues = IssueGenerator()
            for _ in 0..<count { try add(issues.next()) }
        case .events:
            // Real events, because the made ones have only what the rows measure.
            let samples = try JSONValue(parsing: Data(contentsOf: URL(fileURLWithPath: "Schemas/samples/events.json")))
            let events = samples.arrayValue ?? []
            for number in 0..<count { try add(.raw(Array(events[number % events.count].description.utf8))) }
        }
        try flush()
    }
}

import Foundation
import Pallium

// The Swift examples of the article about streams, word for word; `ArticleTests` runs them and compares the texts.

func streamExample(
    _ adapter: JSONAdapter<DynamicModel>, chunks: [[UInt8]], log problems: inout [ModelError]
) throws -> [DynamicModel] {
    var handled: [DynamicModel] = []
    func handle(_ event: DynamicModel) { handled.append(event) }
    func log(_ problem: ModelError) { problems.append(problem) }

    var events = adapter.models(fromLines: chunks)
    while let event = try events.next() {
        handle(event)
    }

    for report in adapter.models(fromLines: chunks).reports {
        for problem in report.problems { log(problem) }
        if let event = report.model { handle(event) }
    }

    return handled
}

func arrivingExample(
    _ adapter: JSONAdapter<DynamicModel>, arriving: AsyncStream<Data>
) async throws -> [DynamicModel] {
    var handled: [DynamicModel] = []
    func handle(_ event: DynamicModel) { handled.append(event) }

    for try await event in adapter.models(fromArray: arriving) {
        handle(event)
    }

    return handled
}

func linesInMemoryExample(_ adapter: JSONAdapter<DynamicModel>, log: Data) throws -> [DynamicModel] {
    let all = try adapter.models(fromLines: log)

    return all
}

func linesOnSeveralThreadsExample(
    _ adapter: JSONAdapter<DynamicModel>, chunks: [[UInt8]]
) throws -> (selected: Data, views: [Frozen<DynamicModel>], rejects: [(line: Data, problems: [ModelError])]) {
    let few = try adapter.projected(to: ["id", "type"])
    var selected = Data()
    try few.process(lines: chunks, concurrently: 4) { block in
        var lines = JSONLinesWriter(few)
        var events = block.models
        while let event = try events.next() { try lines.append(event) }
        return lines.takeData()
    } receive: { text in
        selected += text
    }

    let views = try adapter.map(lines: chunks, concurrently: 4) {
        $0.frozen()
    }

    return (selected, views, rejectsExample(adapter, chunks: chunks))
}

func rejectsExample(
    _ adapter: JSONAdapter<DynamicModel>, chunks: [[UInt8]]
) -> [(line: Data, problems: [ModelError])] {
    var rejected: [(line: Data, problems: [ModelError])] = []
    func keep(_ line: Data, _ problems: [ModelError]) { rejected.append((line, problems)) }

    adapter.process(lines: chunks, concurrently: 4) { block in
        block.reports.filter { !$0.problems.isEmpty }.map { report in
            let line = report.location.map(block.line) ?? []
            return (Data(line), report.problems)
        }
    } receive: { rejects in
        for (line, problems) in rejects { keep(line, problems) }
    }

    return rejected
}

import Foundation

// Compares Pallium with what Swift programs use today. See `Arguments.help` for the options.

do {
    let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
    switch arguments.mode {
    case .help: print(Arguments.help)
    case .oneRow(let name, let heap): try RowMode.run(name, on: heap, arguments)
    case .operation(let kind, let count): try OperationMode.run(kind, count: count)
    case .memory(let family, let path): try MemoryMode.run(family, path: path)
    case .lines(let kind, let count): try LineMode.run(kind, count: count)
    case .table: exit(try Benchmark(arguments).run() ? 0 : 1)
    }
} catch let mistake as Arguments.Mistake {
    FileHandle.standardError.write(Data("\(mistake)\n\n\(Arguments.help)\n".utf8))
    exit(2)
} catch {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(1)
}

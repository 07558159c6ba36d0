/// The line of a terminal that says how far a run is. The next one replaces it, and everything else that is written removes it.
final class StatusLine {
    private let descriptor: Descriptor
    /// Whether the line may be shown at all.
    let isWanted: Bool
    private var isShown = false
    /// Whether results on the same terminal end in the middle of a line, which the status must not replace.
    var isBlocked = false

    /// - Parameter isWanted: Whether the user wants to see the line, if there is a terminal that can erase it.
    init(_ descriptor: Descriptor, isWanted: Bool) {
        self.descriptor = descriptor
        self.isWanted = isWanted && descriptor.isTerminal && Terminal.erasesLines
    }

    /// Shows a text.
    func show(_ text: String) {
        guard isWanted, !isBlocked else { return }
        write(Terminal.cut(Terminal.visible(text), columns: Terminal.columns(of: descriptor)))
        isShown = true
    }

    /// Removes the text.
    func clear() {
        guard isShown else { return }
        write("")
        isShown = false
    }

    private func write(_ text: String) { try? descriptor.write(Array("\(Terminal.lineEraser)\(text)".utf8)) }
}

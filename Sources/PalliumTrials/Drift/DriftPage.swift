import PalliumContracts
import PalliumCore
import PalliumJSON

extension DriftReport {
    /// Returns the report as a page of HTML, which needs no other file, no script and no network.
    ///
    /// Text from documents and schemas is escaped, so none of it can become markup.
    ///
    /// - Parameter title: The title of the page.
    /// - Complexity: O(*n*) in the size of the report.
    public func page(title: String = "Drift") -> String { DriftPage(report: self, title: title).text }
}

/// Writes a report as HTML that is also well-formed XML.
struct DriftPage {
    let report: DriftReport
    let title: String

    private static let policy = "default-src 'none'; style-src 'unsafe-inline'"

    /// What the page needs beyond the style of all pages.
    private static let style = """
        body { display: block; }
        main { margin: 0 auto; }
        svg.plot { display: block; margin: 0.2rem 0; }
        svg.plot rect { stroke: none; fill: var(--accent); }
        svg.plot rect.null { fill: var(--warm); }
        svg.plot rect.absent { fill: var(--line); }
        pre { margin: 0.6rem 0 0; padding: 0.6rem 0.8rem; background: var(--page); border: 1px solid var(--line);
          border-radius: 8px; font: 0.82rem/1.45 var(--mono); white-space: pre-wrap; }
        section.known { opacity: 0.6; }

        """

    /// The page.
    var text: String {
        let title = PageText.html(title)
        var text = PageAssets.head(title, policy: Self.policy, style: Self.style)
        text += """
            <body>
            <main>
            <header>
            <h1>\(title)</h1>
            <p class="lead">\(lead)</p>
            </header>

            """
        for finding in report.findings { text += section(finding) }
        text += shifts
        for (heading, lines) in report.noteLists { text += list(heading, lines) }
        text += figures
        text += list("Left out", report.cuts)
        return text + "</main>\n</body>\n</html>\n"
    }

    private var lead: String {
        let new = report.hasBaseline ? ", \(report.findings.count(where: \.isNew)) new" : ""
        let schema = PageText.html(report.schema)
        return "\(report.documents.counted("document")) of \(schema), \(report.findings.count.counted("finding"))\(new)"
    }

    private func section(_ finding: DriftReport.Finding) -> String {
        let isKnown = report.hasBaseline && !finding.isNew
        let mark = report.hasBaseline ? " <span class=\"mark\">\(isKnown ? "known" : "new")</span>" : ""
        var text = """
            <section class="\(isKnown ? "finding known" : "finding")">
            <h2>\(PageText.html(finding.title))\(mark)</h2>
            <p>\(PageText.html(DriftReport.summary(of: finding)))</p>
            <p class="doc">expected \(PageText.html(finding.expected))</p>

            """
        if !finding.examples.isEmpty {
            text +=
                "<table>\n<thead><tr><th>Source</th><th>Line</th><th>Path</th><th>Found</th></tr></thead>\n<tbody>\n"
            for example in finding.examples {
                text += """
                    <tr><td>\(PageText.html(example.source))</td>\
                    <td>\(example.line.map { "\($0)" } ?? "")</td>\
                    <td><code>\(PageText.html(example.pointer.description))</code></td>\
                    <td>\(PageText.html(example.found))</td></tr>

                    """
            }
            text += "</tbody>\n</table>\n"
        }
        if let edit = finding.edit { text += self.edit(edit) }
        return text + "</section>\n"
    }

    private func edit(_ edit: DriftReport.Edit) -> String {
        let place = "\(PageText.html(edit.schema)) <code>\(PageText.html(edit.pointer.description))</code>"
        guard let value = edit.value else { return "<h3>Remove \(place)</h3>\n" }
        var text = "<h3>Set \(place)</h3>\n\(code(value))"
        for schema in edit.newSchemas { text += "<h3>New schema</h3>\n\(code(schema))" }
        return text
    }

    private func code(_ value: JSONValue) -> String {
        var options = JSONWritingOptions()
        options.pretty = true
        let lines = ((try? value.text(options: options)) ?? "").split(separator: "\n").map { PageText.html(String($0)) }
        return "<pre>\(lines.joined(separator: "\n"))</pre>\n"
    }

    private var shifts: String {
        if report.shifts.isEmpty { return "" }
        var text = """
            <section>
            <h2>Shifts</h2>
            <table>
            <thead><tr><th>Property</th><th>Change</th><th>Before</th><th>Now</th></tr></thead>
            <tbody>

            """
        for shift in report.shifts {
            let cells = [
                DriftReport.title(shift.schema, shift.place), shift.kind.rawValue, shift.before, shift.now,
            ]
            text += "<tr>\(cells.map { "<td>\(PageText.html($0))</td>" }.joined())</tr>\n"
        }
        return text + "</tbody>\n</table>\n</section>\n"
    }

    private func list(_ heading: String, _ lines: [String]) -> String {
        if lines.isEmpty { return "" }
        let items = lines.map { "<li>\(PageText.html($0))</li>\n" }.joined()
        return "<section>\n<h2>\(heading)</h2>\n<ul>\n\(items)</ul>\n</section>\n"
    }

    /// A table for each schema.
    private var figures: String {
        var text = ""
        var rest = report.figures[...]
        while let schema = rest.first?.schema {
            let own = rest.prefix { UTF8Text.equal($0.schema, schema) }
            rest = rest.dropFirst(own.count)
            text += """
                <section>
                <h2>\(PageText.html(schema))</h2>
                <table>
                <thead><tr><th>Property</th><th>Kind</th><th>Present</th><th>Null</th><th>Distinct</th><th>Range</th></tr></thead>
                <tbody>

                """
            for figure in own { text += row(figure) }
            text += "</tbody>\n</table>\n</section>\n"
        }
        return text
    }

    private func row(_ figure: DriftReport.Figure) -> String {
        let ranges = [("numbers", figure.numbers), ("lengths", figure.lengths), ("counts", figure.counts)]
        let spreads = ranges.compactMap { noun, range in
            range.map { "\(noun) \(PageText.html($0.description))\(DriftPlot.spread($0, of: noun))" }
        }
        let distinct = figure.distinct == 0 ? "" : "\(figure.isDistinctEstimated ? "about " : "")\(figure.distinct)"
        return """
            <tr><td class="key"><code>\(PageText.html(figure.place))</code></td>\
            <td>\(PageText.html(figure.kind))</td>\
            <td>\(DriftReport.percent(figure.present, figure.holders)) of \(figure.holders)\(DriftPlot.presence(figure))</td>\
            <td>\(DriftReport.percent(figure.nulls, figure.holders))</td>\
            <td>\(distinct)</td><td>\(spreads.joined())</td></tr>

            """
    }
}

import PalliumCore
import PalliumJSON

/// Writes a page as HTML that is also well-formed XML.
struct HTMLPage {
    private let page: SchemaPage

    init(_ page: SchemaPage) { self.page = page }

    /// The page.
    var text: String {
        let title = PageText.html(page.title)
        let properties = page.models.reduce(0) { $0 + $1.properties.count }
        var text = PageAssets.head(title)
        text += """
            <body>
            <nav aria-label="Models">
            <p class="title"><a href="#top">\(title)</a></p>
            <input id="search" type="search" placeholder="Search" \
            aria-label="Search models and properties" autocomplete="off" hidden="hidden"/>
            <p id="count" aria-live="polite">\(page.models.count.counted("model"))</p>
            <ul>

            """
        for model in page.models { text += "<li><a href=\"#\(model.anchor)\">\(PageText.html(model.name))</a></li>\n" }
        text += """
            </ul>
            </nav>
            <main id="top">
            <header>
            <h1>\(title)</h1>
            <p class="lead">\(page.models.count.counted("model")), \(properties.counted("property", "properties"))</p>
            </header>

            """
        for model in page.models { text += section(model) }
        return text + """
            <p id="none" hidden="hidden">Nothing was found.</p>
            </main>
            <script>
            \(PageAssets.script)
            </script>
            </body>
            </html>

            """
    }

    private func section(_ model: SchemaPage.Model) -> String {
        var text = """
            <section class="model" id="\(model.anchor)">
            <h2><a href="#\(model.anchor)">\(PageText.html(model.name))</a></h2>

            """
        let documentation = Self.lines(model.documentation)
        if !documentation.isEmpty { text += "<p class=\"doc\">\(documentation)</p>\n" }
        if !model.facts.isEmpty {
            text += "<dl>\n"
            for fact in model.facts {
                text += "<div><dt>\(PageText.html(fact.name))</dt><dd>\(write(fact.value))</dd></div>\n"
            }
            text += "</dl>\n"
        }
        if let cluster = model.cluster {
            text += "<p>\(write(cluster.rule))</p>\n"
            if !cluster.choices.isEmpty {
                text += "<ul class=\"choices\">\(cluster.choices.map { "<li>\(write($0))</li>" }.joined())</ul>\n"
            }
        }
        text += table(model)
        if !model.rules.isEmpty {
            text += "<h3>Rules</h3>\n<ul>\(model.rules.map { "<li>\(PageText.html($0))</li>" }.joined())</ul>\n"
        }
        return text + "</section>\n"
    }

    private func table(_ model: SchemaPage.Model) -> String {
        if model.properties.isEmpty { return "" }
        var text = """
            <table>
            <thead><tr><th>Key</th><th>In JSON</th><th>Kind</th><th>May be missing</th><th>Default</th>\
            <th>Description</th></tr></thead>
            <tbody>

            """
        for property in model.properties {
            let anchor = PageText.anchor(model.name, property.key)
            let marks = property.marks.map { " <span class=\"mark\">\($0)</span>" }.joined()
            let value = property.defaultValue.map { "<code>\(PageText.html($0))</code>" } ?? ""
            let documentation = Self.lines(property.documentation)
            let rules = property.rules.map { "<p class=\"rule\">\(write($0))</p>" }.joined()
            text += """
                <tr id="\(anchor)">\
                <td class="key"><a href="#\(anchor)"><code>\(PageText.html(property.key))</code></a>\(marks)</td>\
                <td data-label="In JSON">\(write(property.path))</td>\
                <td data-label="Kind">\(write(property.kind))</td>\
                <td data-label="May be missing">\(property.mayBeMissing ? "yes" : "no")</td>\
                <td data-label="Default">\(value)</td>\
                <td class="description">\(documentation.isEmpty ? "" : "<p>\(documentation)</p>")\(rules)</td></tr>

                """
        }
        return text + "</tbody>\n</table>\n"
    }

    private static func lines(_ text: String) -> String {
        PageText.lines(text).map(PageText.html).joined(separator: "<br/>")
    }

    private func write(_ line: SchemaPage.Line) -> String {
        line.map { fragment in
            switch fragment {
            case .text(let text): PageText.html(text)
            case .code(let text): "<code>\(PageText.html(text))</code>"
            case .model(let index): "<a href=\"#\(page.anchor(index))\">\(PageText.html(page.models[index].name))</a>"
            case .property(let index, let key):
                "<a href=\"#\(page.anchor(index, key))\">\(PageText.html("\(page.models[index].name).\(key)"))</a>"
            case .key(let index, let key):
                "<a href=\"#\(page.anchor(index, key))\"><code>\(PageText.html(key))</code></a>"
            }
        }.joined()
    }
}

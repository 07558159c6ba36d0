/// The parts of a page that are the same on every page.
///
/// They contain neither `<` nor `&` where XML would read them as markup.
enum PageAssets {
    /// Nothing may be loaded from anywhere.
    private static let policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"

    /// Returns the beginning of a page, up to its body.
    ///
    /// - Parameter title: The title, escaped.
    static func head(_ title: String) -> String {
        """
        <!DOCTYPE html>
        <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
        <head>
        <meta charset="utf-8"/>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <meta http-equiv="Content-Security-Policy" content="\(policy)"/>
        <title>\(title)</title>
        <style>
        \(style)
        </style>
        </head>

        """
    }

    private static let style = """
        :root { color-scheme: light dark; --page: #fafaf8; --surface: #ffffff; --text: #24292f; --quiet: #626a73;
          --line: #e3e3de; --accent: #2f5fb3; --tint: #eef3fb; --warm: #8a4b0f; --warm-tint: #fbf1e4;
          --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
        @media (prefers-color-scheme: dark) { :root { --page: #15171a; --surface: #1b1e22; --text: #e2e4e8;
          --quiet: #9ba2ac; --line: #2d3138; --accent: #8db4f5; --tint: #1f2a3b; --warm: #e5b27a;
          --warm-tint: #35291a; } }
        * { box-sizing: border-box; }
        [hidden] { display: none !important; }
        html { scroll-padding-top: 1.5rem; }
        body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.55 system-ui, -apple-system,
          "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; overflow-wrap: anywhere; }
        a { color: var(--accent); text-decoration: none; }
        a:hover { text-decoration: underline; }
        :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
        code { font: 0.87em var(--mono); }
        nav { padding: 1.25rem 1rem 1rem; border-bottom: 1px solid var(--line); }
        nav .title { margin: 0 0 0.75rem; font-weight: 650; }
        nav .title a { color: inherit; }
        nav ul { list-style: none; margin: 0; padding: 0; max-height: 9.5rem; overflow: auto; }
        nav li a { display: block; padding: 0.14rem 0.5rem; border-radius: 6px; color: var(--text); }
        nav li a:hover { background: var(--tint); color: var(--accent); text-decoration: none; }
        #search { width: 100%; padding: 0.5rem 0.7rem; font: inherit; color: inherit; background: var(--surface);
          border: 1px solid var(--line); border-radius: 8px; }
        #count { margin: 0.5rem 0.5rem 0.4rem; color: var(--quiet); font-size: 0.85rem; }
        main { padding: 1.5rem 1rem 5rem; min-width: 0; }
        h1 { margin: 0; font-size: 1.9rem; line-height: 1.2; letter-spacing: -0.015em; }
        .lead { margin: 0.35rem 0 1.5rem; color: var(--quiet); }
        section { margin: 1.5rem 0; padding: 1.25rem 1rem; background: var(--surface); border: 1px solid var(--line);
          border-radius: 12px; scroll-margin-top: 1rem; }
        section:target { border-color: var(--accent); }
        h2 { margin: 0; font-size: 1.25rem; line-height: 1.3; }
        h2 a { color: inherit; }
        h3 { margin: 1.25rem 0 0.4rem; font-size: 0.95rem; }
        .doc { margin: 0.3rem 0 0; max-width: 46rem; }
        dl { margin: 0.9rem 0 0; font-size: 0.92rem; }
        dl div { display: flex; gap: 0.9rem; padding: 0.12rem 0; }
        dt { flex: 0 0 7.5rem; color: var(--quiet); }
        dd { margin: 0; min-width: 0; }
        section > p { margin: 0.9rem 0 0; }
        section > ul { margin: 0.4rem 0 0; padding-left: 1.2rem; }
        .choices { columns: 20rem; font-size: 0.92rem; }
        table { width: 100%; margin-top: 1.1rem; border-collapse: collapse; font-size: 0.92rem; }
        th { padding: 0 0.9rem 0.4rem 0; text-align: left; font-weight: 550; font-size: 0.82rem; color: var(--quiet);
          vertical-align: bottom; overflow-wrap: normal; }
        td { padding: 0.5rem 0.9rem 0.5rem 0; vertical-align: top; border-top: 1px solid var(--line); }
        td p { margin: 0; max-width: 38rem; }
        td .rule { color: var(--quiet); }
        .key { min-width: 9rem; }
        td:nth-child(2) { min-width: 8.5rem; }
        td:nth-child(3) { min-width: 7rem; }
        .key a { color: inherit; font-weight: 600; }
        tr:target td { background: var(--tint); }
        .mark { padding: 0.05rem 0.4rem; border-radius: 5px; font-size: 0.78rem; color: var(--warm);
          background: var(--warm-tint); white-space: nowrap; }
        @media (min-width: 1000px) {
          body { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
          nav { position: sticky; top: 0; height: 100vh; overflow: auto; border-bottom: 0;
            border-right: 1px solid var(--line); }
          nav ul { max-height: none; overflow: visible; }
          main { padding: 2.5rem 2.5rem 6rem; max-width: 92rem; }
          section { padding: 1.5rem 1.75rem; }
        }
        @media (max-width: 999px) { nav .title { display: none; } }
        @media (max-width: 760px) {
          thead { display: none; }
          table, tbody, tr, td { display: block; }
          tr { padding: 0.7rem 0; border-top: 1px solid var(--line); }
          td { padding: 0.1rem 0; border: 0; }
          td:empty { display: none; }
          td[data-label]::before { content: attr(data-label) ": "; color: var(--quiet); }
          dl div { display: block; padding: 0.25rem 0; }
        }
        @media print { nav { display: none; } }
        """

    /// Filters models and properties. Without it, the page is complete, and the field is hidden.
    static let script = """
        (function () {
          "use strict";
          var field = document.getElementById("search");
          var count = document.getElementById("count");
          var none = document.getElementById("none");
          var whole = count.textContent;
          var entries = Array.from(document.querySelectorAll("nav li"));
          var models = Array.from(document.querySelectorAll("section.model")).map(function (section, index) {
            var heading = section.querySelector("h2").textContent;
            var text = section.querySelector(".doc");
            return {
              section: section,
              entry: entries[index],
              text: (heading + " " + (text ? text.textContent : "")).toLowerCase(),
              rows: Array.from(section.querySelectorAll("tbody tr")).map(function (row) {
                return { row: row, text: row.textContent.toLowerCase() };
              })
            };
          });
          function search() {
            var query = field.value.trim().toLowerCase();
            var found = 0;
            models.forEach(function (model) {
              var isWhole = model.text.includes(query);
              var isFound = isWhole;
              model.rows.forEach(function (item) {
                var isShown = isWhole ? true : item.text.includes(query);
                item.row.hidden = !isShown;
                if (isShown) { isFound = true; }
              });
              model.section.hidden = !isFound;
              model.entry.hidden = !isFound;
              if (isFound) { found += 1; }
            });
            none.hidden = found !== 0;
            count.textContent = query === "" ? whole : found + " of " + whole;
          }
          function clear() { field.value = ""; search(); }
          field.hidden = false;
          field.addEventListener("input", search);
          field.addEventListener("keydown", function (event) { if (event.key === "Escape") { clear(); } });
          window.addEventListener("hashchange", function () {
            var target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
            if (target ? target.closest("[hidden]") : false) { clear(); target.scrollIntoView(); }
          });
          document.addEventListener("keydown", function (event) {
            if (event.key !== "/" ? true : event.target === field) { return; }
            event.preventDefault();
            field.focus();
          });
          if (field.value !== "") { search(); }
        })();
        """
}

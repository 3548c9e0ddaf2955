/// The colours of charts and of the pages that hold them: on paper and on a light screen dark on light, on a dark screen light
/// on dark. Series differ in lightness too, so that they can be told apart without colours. Text has a contrast of 4.5 : 1 at least,
/// a bar one of 3 : 1 (WCAG 2.2, 1.4.3 and 1.4.11). The bar of a period that is not over is an outline: a paler one would have less.
enum ChartStyle {
    /// For a drawing. Without variables, which some programs that read SVG do not know.
    static let drawing = """
        .paper { fill: #fdfbf7 } .ink { fill: #3b3733 } .faint { fill: #746d66 } .line { stroke: #d9d2c8 }
        .s1 { fill: #b3541e; stroke: #b3541e } .s2 { fill: #2f6f8f; stroke: #2f6f8f }
        .s3 { fill: #b8862b; stroke: #b8862b } .s4 { fill: #6b5b7b; stroke: #6b5b7b }
        .trend { stroke: #b3541e } rect { stroke-width: 0 } .running { fill-opacity: 0; stroke-width: 1.5 }
        @media screen and (prefers-color-scheme: dark) {
          .paper { fill: #1d1b1a } .ink { fill: #ece5dc } .faint { fill: #a79f96 } .line { stroke: #45403b }
          .s1 { fill: #f0a35e; stroke: #f0a35e } .s2 { fill: #6fb3d2; stroke: #6fb3d2 }
          .s3 { fill: #f2d58a; stroke: #f2d58a } .s4 { fill: #a896bd; stroke: #a896bd }
          .trend { stroke: #f0a35e }
        }
        """

    /// For a page around drawings.
    static let page = """
        :root { color-scheme: light; --paper: #fdfbf7; --ink: #3b3733; --faint: #746d66; --line: #d9d2c8 }
        @media screen and (prefers-color-scheme: dark) {
          :root { color-scheme: dark; --paper: #1d1b1a; --ink: #ece5dc; --faint: #a79f96; --line: #45403b }
        }
        body { background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; max-width: 52rem;
          margin: 2rem auto; padding: 0 1rem }
        h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin: 2.5rem 0 .5rem } h3 { font-size: 1rem; margin: 1.5rem 0 0 }
        p { color: var(--faint); overflow-wrap: anywhere } a { color: inherit } nav a { margin-inline-end: .9rem }
        figure { margin: 0; overflow-x: auto } svg { display: block; width: 100%; min-width: 32rem; height: auto }
        .tables { display: flex; flex-wrap: wrap; gap: .75rem 2.5rem; margin: .75rem 0 }
        .wide { overflow-x: auto; max-width: 100% }
        table { border-collapse: collapse; font-size: .85rem }
        caption { text-align: start; color: var(--faint); padding-bottom: .25rem }
        th { color: var(--faint); font-weight: 400; text-align: start; overflow-wrap: anywhere; min-width: 3.2rem }
        .shares tbody th { min-width: 9rem }
        th, td { border-top: 1px solid var(--line); padding: .15rem .7rem .15rem 0; vertical-align: top }
        td, thead th:not(:first-child) { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap }
        .not-over { font-style: italic }
        @media print {
          @page { margin: 15mm }
          body { background: none; font-size: 10.5pt; margin: 0; max-width: none; padding: 0 }
          nav { display: none } .wide, figure { overflow: visible } svg { min-width: 0 } svg .paper { fill: none }
          h2, h3 { break-after: avoid } svg, tr, figure { break-inside: avoid } thead { display: table-header-group }
          section + section { break-before: page } h2 { margin-top: 0 }
        }
        """

    /// A page that needs nothing else, has no script, and forbids loading.
    /// - Parameter drawing: the style of its drawings.
    static func document(title: String, introduction: String, drawing: String, body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="robots" content="noindex">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(title.shown.escapedForXML)</title>
        <style>
        \(page)
        \(drawing)
        </style>
        </head>
        <body>
        <main>
        <h1 dir="auto">\(title.shown.escapedForXML)</h1>
        <p dir="auto">\(introduction.shown.escapedForXML)</p>
        \(body)
        </main>
        </body>
        </html>

        """
    }
}

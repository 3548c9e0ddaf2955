import Companion
import Markdown

/// A lesson as an HTML page of its own. It loads nothing, and its policy forbids loading.
struct LessonPage {
    let title: String
    let programme: String
    let document: MarkdownDocument

    private static let style = """
        :root { color-scheme: light dark; --paper: #fdfbf7; --ink: #3b3733; --faint: #746d66; --line: #d9d2c8; --link: #b3541e }
        @media (prefers-color-scheme: dark) {
          :root { --paper: #1d1b1a; --ink: #ece5dc; --faint: #a79f96; --line: #45403b; --link: #f0a35e }
        }
        body { background: var(--paper); color: var(--ink); font: 18px/1.6 system-ui, sans-serif; max-width: 40rem;
          margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
        header p { color: var(--faint); margin: 0 } h1 { font-size: 1.6rem } h2 { font-size: 1.3rem } h3, h4, h5, h6 { font-size: 1.1rem }
        a { color: var(--link) } pre { white-space: pre-wrap } pre, code { font-size: .9em }
        blockquote { margin-inline: 0; padding-inline-start: 1rem; border-inline-start: 3px solid var(--line) }
        hr { border: 0; border-top: 1px solid var(--line); margin: 2rem 0 } table { border-collapse: collapse }
        th, td { text-align: start; padding: .2rem .8rem .2rem 0; border-top: 1px solid var(--line); vertical-align: top }
        @media print { body { margin: 0 } }
        """

    var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
        <title>\(title.shown.escapedForXML)</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <header><p dir="auto">\(programme.shown.escapedForXML)</p></header>
        <main dir="auto">
        \(document.html)</main>
        </body>
        </html>

        """
    }
}

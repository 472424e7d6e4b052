//! Reports as pages of one file, pictures included.

use turncoat_util::escape_html;

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}
svg{width:100%;height:auto;display:block}
figure{margin:1.5rem 0}
.narrow{display:none}
@media(max-width:40rem){.narrow{display:block}.wide{display:none}}
.scroll{overflow-x:auto}.scroll svg{min-width:40rem;max-height:26rem}
.boards{display:flex;flex-wrap:wrap;gap:1rem}.boards svg{width:17rem}
.tables{display:grid;grid-template-columns:repeat(auto-fill,minmax(17rem,1fr));gap:.7rem}
.genes{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:.7rem}
.genes figure{margin:0}figcaption{font-size:.8rem}
table{border-collapse:collapse;overflow-wrap:normal;display:block;overflow-x:auto}
td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #8884}
.scroll td{white-space:nowrap}.scroll th{min-width:5rem}
td:first-child,th:first-child{text-align:left}
summary{cursor:pointer;padding:.5rem 0}
pre{overflow-x:auto;padding:1rem;border-radius:.5rem;background:#8881;font-size:.85rem;overflow-wrap:normal}
";

/// How a page begins: everything up to its heading. It ends with `</html>`.
pub(crate) fn head(title: &str) -> String {
    let title = escape_html(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n"
    )
}

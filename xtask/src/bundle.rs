//! The scripts of the site in few files: a browser that asks for a hundred modules takes longer to ask than to read them.
//!
//! Each file is called after its first module and has what that one imports, unless another file has it. A module is a
//! function that returns what it exports; no two of them share names. The page's modules use plain forms of `import` and
//! `export`, one to a line; anything else is refused.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context, Result, bail, ensure};

/// A module, without its imports and the word `export`.
struct Module {
    body: String,
    /// What it is known by here, by module: the pattern after `const`.
    imports: Vec<(String, String)>,
    exports: Vec<String>,
}

/// A file: its modules, those that others need first.
struct File {
    name: String,
    modules: Vec<String>,
}

/// The files that begin with these modules; who imports a module comes after it.
pub(crate) fn bundle(scripts: &BTreeMap<String, String>, first: &[&str]) -> Result<BTreeMap<String, String>> {
    let mut modules = BTreeMap::new();
    for (name, script) in scripts {
        modules.insert(name.clone(), parse(name, script).with_context(|| name.clone())?);
    }
    let mut homes = BTreeMap::new();
    let mut files = Vec::new();
    for &name in first {
        let mut file = File { name: name.to_owned(), modules: Vec::new() };
        place(name, &modules, &mut homes, &mut file, &mut Vec::new())?;
        files.push(file);
    }
    files.iter().map(|file| Ok((file.name.clone(), write(file, &modules, &homes)?))).collect()
}

/// Puts a module into a file, after all that it needs.
fn place(
    name: &str,
    modules: &BTreeMap<String, Module>,
    homes: &mut BTreeMap<String, String>,
    file: &mut File,
    above: &mut Vec<String>,
) -> Result<()> {
    ensure!(!above.iter().any(|one| one == name), "{name} imports itself through {above:?}");
    if homes.contains_key(name) {
        return Ok(());
    }
    let module = modules.get(name).with_context(|| format!("{name} is imported and not there"))?;
    above.push(name.to_owned());
    let now = module.imports.iter().map(|(from, _)| from.clone());
    for needed in now.chain(later(name, &module.body)?.into_iter().map(|(_, from)| from)) {
        place(&needed, modules, homes, file, above)?;
    }
    above.pop();
    homes.insert(name.to_owned(), file.name.clone());
    file.modules.push(name.to_owned());
    Ok(())
}

/// The text of a file.
fn write(file: &File, modules: &BTreeMap<String, Module>, homes: &BTreeMap<String, String>) -> Result<String> {
    let mut text = String::new();
    let mut others: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for name in &file.modules {
        let Module { body, imports, exports } = &modules[name];
        for (from, _) in imports.iter().filter(|(from, _)| homes[from] != file.name) {
            others.entry(&homes[from]).or_default().insert(variable(from));
        }
        let mut body =
            body.replace("import.meta.url", &format!("new URL({:?}, import.meta.url)", way(&file.name, name)));
        for (word, from) in later(name, &body)? {
            let home = &homes[&from];
            let found = if *home == file.name {
                format!("Promise.resolve({})", variable(&from))
            } else {
                ensure!(*home == from, "{name} imports {from}, which is in {home}");
                format!("import({:?})", way(&file.name, home))
            };
            body = body.replace(&word, &found);
        }
        let known: String =
            imports.iter().map(|(from, names)| format!("const {names} = {};\n", variable(from))).collect();
        let is_slow = body.lines().any(|line| line.starts_with("await "));
        let (wait, kind) = if is_slow { ("await ", "async ") } else { ("", "") };
        let all = exports.join(", ");
        text.push_str(&format!(
            "const {} = {wait}({kind}() => {{\n{known}{body}return {{ {all} }};\n}})();\n",
            variable(name)
        ));
    }
    let needed: String = others
        .iter()
        .map(|(home, names)| {
            let names: Vec<_> = names.iter().cloned().collect();
            format!("import {{ {} }} from {:?};\n", names.join(", "), way(&file.name, home))
        })
        .collect();
    let all: Vec<_> = file.modules.iter().map(|name| variable(name)).collect();
    let own = modules[&file.name].exports.join(", ");
    Ok(format!(
        "{needed}{text}export {{ {} }};\nexport const {{ {own} }} = {};\n",
        all.join(", "),
        variable(&file.name)
    ))
}

fn parse(name: &str, script: &str) -> Result<Module> {
    let mut module = Module { body: String::new(), imports: Vec::new(), exports: Vec::new() };
    for line in script.lines() {
        if let Some(import) = line.strip_prefix("import ") {
            let (names, from) = import.split_once(" from ").with_context(|| line.to_owned())?;
            let from = below(name, from.trim_end_matches(';').trim_matches('"'))?;
            let names = names.strip_prefix("* as ").map_or_else(|| names.replace(" as ", ": "), str::to_owned);
            module.imports.push((from, names));
        } else if let Some(exported) = line.strip_prefix("export ") {
            if let Some(names) = exported.strip_prefix("{").and_then(|names| names.strip_suffix("};")) {
                module
                    .exports
                    .extend(names.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()));
                continue;
            }
            let kinds = ["async function ", "function ", "class ", "const "];
            let Some(rest) = kinds.iter().find_map(|kind| exported.strip_prefix(kind)) else { bail!("{line}") };
            let own = rest.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$').next().unwrap_or_default();
            ensure!(!own.is_empty(), "{line}");
            module.exports.push(own.to_owned());
            module.body.push_str(exported);
            module.body.push('\n');
        } else {
            module.body.push_str(line);
            module.body.push('\n');
        }
    }
    Ok(module)
}

/// The imports within a module's functions, as they are written, with the modules that they name.
fn later(name: &str, body: &str) -> Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for part in body.split("import(\"").skip(1) {
        let (from, rest) = part.split_once("\")").context("an import that does not end")?;
        // `import("…").Name` is the name of a type, in a comment.
        if !rest.starts_with('.') {
            found.push((format!("import(\"{from}\")"), below(name, from)?));
        }
    }
    Ok(found)
}

/// The name of a file that a module names relative to itself.
fn below(module: &str, relative: &str) -> Result<String> {
    let mut parts: Vec<&str> = module.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." => {}
            ".." => _ = parts.pop().with_context(|| format!("{relative} lies outside"))?,
            _ => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

/// The way from one file to another.
fn way(from: &str, to: &str) -> String {
    let up = "../".repeat(from.matches('/').count());
    if up.is_empty() { format!("./{to}") } else { format!("{up}{to}") }
}

/// What a module's exports are called.
fn variable(name: &str) -> String {
    format!("${}", name.trim_end_matches(".js").replace(['/', '-'], "_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scripts(all: &[(&str, &str)]) -> BTreeMap<String, String> {
        all.iter().map(|&(name, script)| (name.to_owned(), script.to_owned())).collect()
    }

    #[test]
    fn modules_lie_in_the_file_that_needs_them_first() {
        let all = scripts(&[
            (
                "app.js",
                "import { say as tell } from \"./base/words.js\";\nimport * as dom from \"./base/dom.js\";\n\
                        import { local } from \"./base/memory.js\";\ntell(dom.a, local);\n",
            ),
            (
                "base/dom.js",
                "export const a = 1;\nexport async function b() {\n  return import(\"./late.js\"); /** @type {import(\"../../types\").T} */\n}\n",
            ),
            ("base/late.js", "export class Late {}\nconst at = new URL(\"./x\", import.meta.url);\nexport { at };\n"),
            ("base/memory.js", "export const local = 2;\n"),
            (
                "base/words.js",
                "import { local } from \"./memory.js\";\nawait learn(() => import(\"./english.js\"));\n\
                               export function say() {}\n",
            ),
            ("base/english.js", "export const phrases = {};\n"),
        ]);
        let made = bundle(&all, &["base/english.js", "base/words.js", "app.js"]).unwrap();
        assert_eq!(made.keys().collect::<Vec<_>>(), ["app.js", "base/english.js", "base/words.js"]);
        let (app, words) = (&made["app.js"], &made["base/words.js"]);
        assert!(app.starts_with("import { $base_memory, $base_words } from \"./base/words.js\";\n"), "{app}");
        assert!(app.contains("const { say: tell } = $base_words;\nconst dom = $base_dom;\n"), "{app}");
        assert!(app.contains("return Promise.resolve($base_late); /**") && app.contains("return { a, b };"), "{app}");
        assert!(app.contains("new URL(\"./x\", new URL(\"./base/late.js\", import.meta.url))"), "{app}");
        assert!(words.contains("const $base_words = await (async () => {\nconst { local } = $base_memory;"), "{words}");
        assert!(words.contains("import(\"../base/english.js\")"), "{words}");
        assert!(
            words.ends_with("export { $base_memory, $base_words };\nexport const { say } = $base_words;\n"),
            "{words}"
        );
    }

    #[test]
    fn what_cannot_be_put_together_is_refused() {
        for (all, first, fault) in [
            (scripts(&[("a.js", "export let a = 1;\n")]), "a.js", "a.js"),
            (scripts(&[("a.js", "import { b } from \"./b.js\";\n")]), "a.js", "b.js is imported and not there"),
            (
                scripts(&[("a.js", "import { b } from \"./b.js\";\n"), ("b.js", "import { a } from \"./a.js\";\n")]),
                "a.js",
                "a.js imports itself",
            ),
        ] {
            let refused = bundle(&all, &[first]).unwrap_err().to_string();
            assert!(refused.contains(fault), "{refused}");
        }
    }
}

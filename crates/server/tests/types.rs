//! The page's types are those of the API: `types/api.d.ts` is generated from the `OpenAPI` document.

use std::path::Path;
use std::{env, fs};

use serde_json::{Map, Value};

const HEADING: &str =
    "// The objects of the API, generated from its schemas: `cargo xtask page types` writes this file.\n";

/// The declarations of all schemas.
fn declarations(api: &Value) -> String {
    let schemas = api["components"]["schemas"].as_object().unwrap();
    schemas.iter().fold(HEADING.to_owned(), |text, (name, schema)| {
        text + "\n" + &comment(schema, "") + &format!("export type {name} = {};\n", type_of(schema, ""))
    })
}

fn comment(schema: &Value, indent: &str) -> String {
    let mut parts = [schema].into_iter().chain(schema["oneOf"].as_array().into_iter().flatten());
    let about = parts.find_map(|part| part["description"].as_str()).unwrap_or_default();
    if about.is_empty() { String::new() } else { format!("{indent}/** {} */\n", about.replace('\n', " ")) }
}

/// A schema as a type of TypeScript.
fn type_of(schema: &Value, indent: &str) -> String {
    let join = |key: &str, between: &str| -> Option<String> {
        let types = schema[key].as_array()?.iter().map(|one| type_of(one, indent));
        Some(types.collect::<Vec<_>>().join(between))
    };
    if let Some(reference) = schema["$ref"].as_str() {
        return reference.rsplit('/').next().unwrap().to_owned();
    }
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<String> = values.iter().map(Value::to_string).collect();
        return if values.len() > 8 { format!("\n  | {}", values.join("\n  | ")) } else { values.join(" | ") };
    }
    if let Some(joined) = join("oneOf", " | ").or_else(|| join("allOf", " & ")) {
        return joined;
    }
    match &schema["type"] {
        Value::Array(kinds) => {
            let kinds = kinds.iter().filter_map(Value::as_str).map(|kind| plain(kind, schema, indent));
            kinds.collect::<Vec<_>>().join(" | ")
        }
        Value::String(kind) => plain(kind, schema, indent),
        _ => "unknown".to_owned(),
    }
}

fn plain(kind: &str, schema: &Value, indent: &str) -> String {
    match kind {
        "integer" | "number" => "number".to_owned(),
        "array" => match schema["prefixItems"].as_array() {
            Some(items) => {
                let items: Vec<String> = items.iter().map(|item| type_of(item, indent)).collect();
                format!("[{}]", items.join(", "))
            }
            None => match type_of(&schema["items"], indent) {
                item if item.contains(' ') => format!("({item})[]"),
                item => format!("{item}[]"),
            },
        },
        "object" => match schema["properties"].as_object() {
            Some(properties) => object(properties, &schema["required"], indent),
            None => "Record<string, unknown>".to_owned(),
        },
        other => other.to_owned(),
    }
}

fn object(properties: &Map<String, Value>, required: &Value, indent: &str) -> String {
    let inner = format!("{indent}  ");
    let is_required = |name: &str| required.as_array().is_some_and(|all| all.iter().any(|one| one == name));
    let property = |(name, schema): (&String, &Value)| {
        let optional = if is_required(name) { "" } else { "?" };
        format!("{}{inner}{name}{optional}: {};\n", comment(schema, &inner), type_of(schema, &inner))
    };
    format!("{{\n{}{indent}}}", properties.iter().map(property).collect::<String>())
}

#[test]
fn the_page_has_the_types_of_the_api() {
    let found = declarations(&serde_json::to_value(turncoat_server::openapi()).unwrap());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("types/api.d.ts");
    if env::var_os("TURNCOAT_WRITE_TYPES").is_some() {
        fs::write(&path, &found).unwrap();
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(written == found, "{} is out of date: `cargo xtask page types` writes it", path.display());
}

//! Requests as lines of a shell, so that a violation can be seen without Dodona.

use dodona_subject::{FoundBy, HttpCall, HttpReset, HttpSecret, HttpService, NamedOutput, ResetBefore};
use dodona_target::{Column, Type, Value};

use super::request::Request;

/// The commands of curl that make a call with the first row of arguments: those of its setup before its own, behind the one that resets the service where each call needs that.
/// Secrets stay variables of the environment, and what a step keeps becomes a variable, which jq finds in its answer. `None` where a shell has no word for it: nothing can have a zero
/// byte, and jq finds nothing in a header.
pub(super) fn line(service: &HttpService, call: &HttpCall, arguments: &[Column]) -> Option<String> {
    let mut lines = Vec::new();
    if let Some(HttpReset { method, path, before: ResetBefore::Call }) = &service.reset {
        lines.push(curl(service, &Request::new(method, path), &[])?);
    }
    let mut values: Vec<Column> = arguments.iter().map(|column| column.select(&[0])).collect();
    let mut kept: Vec<Variable> = Vec::new();
    for step in &call.setup {
        let made = curl(service, &Request::of(&step.request, &values, 0), &kept)?;
        if step.kept.is_empty() {
            lines.push(made);
            continue;
        }
        lines.push(format!("answer=$({made})"));
        for NamedOutput { name, ty, found } in &step.kept {
            let FoundBy::Json(pointer) = &found.how else { return None };
            let path = word(&jq_path(pointer)?)?;
            lines.push(format!("kept_{name}=$(printf %s \"$answer\" | jq -cr {path})"));
            values.push(Column::one(Type::Text, &Value::Text(stand_in(kept.len()).as_str().into())));
            kept.push(Variable { name: format!("kept_{name}"), is_text: *ty == Type::Text });
        }
    }
    lines.push(curl(service, &Request::of(&call.request, &values, 0), &kept)?);
    Some(lines.join("; "))
}

/// A variable of the shell with a value that an answer had.
struct Variable {
    name: String,
    is_text: bool,
}

/// Where a variable stands, and so how it is written there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum In {
    /// A path, a query or a form: percent-encoded.
    Address,
    /// A string of JSON, or where it is alone and no text, a value.
    Json,
    /// As it is.
    Header,
}

/// What stands in a request for a value that only the answer before it has. No encoding changes it.
fn stand_in(index: usize) -> String {
    format!("kept-by-its-setup-{index}-")
}

/// A JSON Pointer as jq writes it: `.["items"][0]`.
fn jq_path(pointer: &str) -> Option<String> {
    let mut path = ".".to_owned();
    for step in pointer.split('/').skip(1) {
        if step == "*" {
            return None;
        }
        let key = step.replace("~1", "/").replace("~0", "~");
        path += &match key.parse::<u32>() {
            Ok(index) => format!("[{index}]"),
            Err(_) => format!("[{}]", serde_json::Value::from(key)),
        };
    }
    Some(path)
}

/// The command of curl that makes a request. `kept` are the variables of what stands in it for what is kept.
fn curl(service: &HttpService, request: &Request, kept: &[Variable]) -> Option<String> {
    let mut line = "curl -s".to_owned();
    // curl itself would take such a segment for the folder above.
    if request.path.to_ascii_uppercase().contains("/%2E") || request.path.contains("/.") {
        line += " --path-as-is";
    }
    match request.method.as_str() {
        "GET" => {}
        "HEAD" => line += " -I",
        method => line += &format!(" -X {}", word(method)?),
    }
    for (name, value) in &request.headers {
        let header = format!("{name}: {}", std::str::from_utf8(value).ok()?);
        // curl takes a header without a value for one that is to be left out.
        let header = if value.is_empty() { format!("{name};") } else { header };
        line += &format!(" -H {}", words_and_variables(&header, kept, In::Header)?);
    }
    for HttpSecret { header, before, variable, after } in &service.secrets {
        let after = if after.is_empty() { String::new() } else { word(after)? };
        line += &format!(" -H {}\"${variable}\"{after}", word(&format!("{header}: {before}"))?);
    }
    if let Some((kind, body)) = &request.body {
        if !request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            line += &format!(" -H {}", word(&format!("content-type: {kind}"))?);
        }
        let place = if kind.ends_with("json") { In::Json } else { In::Address };
        line +=
            &format!(" --data-raw {}", words_and_variables(std::str::from_utf8(body).ok()?, kept, place)?);
    }
    let address = format!("{}{}", service.base, request.path);
    Some(format!("{line} {}", words_and_variables(&address, kept, In::Address)?))
}

/// A text as one word of a shell, with variables in the places of their stand-ins.
fn words_and_variables(text: &str, kept: &[Variable], place: In) -> Option<String> {
    for (index, Variable { name, is_text }) in kept.iter().enumerate() {
        let stand_in = stand_in(index);
        let alone = format!("\"{stand_in}\"");
        // A number that is alone in its string is no string.
        let is_value = place == In::Json && !is_text && text.contains(&alone);
        let Some((before, after)) = text.split_once(if is_value { &alone } else { &stand_in }) else {
            continue;
        };
        let part = |text: &str| match text.is_empty() {
            true => Some(String::new()),
            false => words_and_variables(text, kept, place),
        };
        let variable = match place {
            In::Address => format!("\"$(jq -rn --arg v \"${name}\" '$v|@uri')\""),
            In::Json if !is_value => format!("\"$(jq -rn --arg v \"${name}\" '$v|tojson|.[1:-1]')\""),
            In::Json | In::Header => format!("\"${name}\""),
        };
        return Some(format!("{}{variable}{}", part(before)?, part(after)?));
    }
    word(text)
}

/// A text as one word of a shell.
fn word(text: &str) -> Option<String> {
    shlex::try_quote(text).ok().map(|word| word.into_owned())
}

#[cfg(test)]
mod tests {
    use dodona_subject::{Manifest, ModuleSource, OutsideKind};

    use super::*;

    /// The line of a call of the only function that a manifest declares.
    fn told(target: &str, function: &str, values: &[&str]) -> Option<String> {
        let text = format!("[target]\nhttp = \"http://127.0.0.1:8000\"\n{target}\n[[function]]\n{function}");
        let manifest = Manifest::parse("dodona.toml".as_ref(), &text).expect("a manifest");
        let ModuleSource::Outside(outside) = &manifest.source else { unreachable!() };
        let OutsideKind::Http(service) = &outside.kind else { unreachable!() };
        let columns: Vec<Column> =
            values.iter().map(|value| Column::one(Type::Text, &Value::Text((*value).into()))).collect();
        line(service, &service.calls[0], &columns)
    }

    #[test]
    fn a_request_is_made_by_hand_without_its_secrets() {
        let get = "signature = \"f(q: text) -> http\"\nrequest = \"GET /items\"\nquery = { q = \"{q}\" }";
        let line = told("", get, &["it's"]);
        assert_eq!(line.as_deref(), Some("curl -s 'http://127.0.0.1:8000/items?q=it%27s'"));
        let target = "secrets = { Authorization = \"Bearer ${TOKEN}\" }\nreset = \"POST /reset\"";
        let put = "signature = \"f(q: text) -> http\"\nrequest = \"PUT /a\"\nheaders = { X-A = \"it's\" }\njson = { a = \"{q}\" }";
        let secret = "-H 'Authorization: Bearer '\"$TOKEN\"";
        assert_eq!(
            told(target, put, &["b"]).expect("a line"),
            format!(
                "curl -s -X POST {secret} http://127.0.0.1:8000/reset; curl -s -X PUT -H \"X-A: it's\" {secret} \
                 -H 'content-type: application/json' --data-raw '{{\"a\":\"b\"}}' http://127.0.0.1:8000/a"
            )
        );
        let form = "signature = \"f(q: text) -> http\"\nrequest = \"PUT /a\"\nheaders = { X-A = \"{q}\" }";
        assert_eq!(told("", form, &["\0"]), None);
    }

    #[test]
    fn what_a_setup_keeps_is_a_variable_of_the_shell() {
        let function = "signature = \"f(t: text) -> http\"\nrequest = \"GET /a/{id}/b\"\n\
            setup = [{ request = \"POST /a\", json = { t = \"{t}\" }, keep.id = { json = \"/made/0/id\" } }, \
            { request = \"DELETE /a\", query = { id = \"{id}\" } }]";
        let id = "\"$(jq -rn --arg v \"$kept_id\" '$v|@uri')\"";
        let line = format!(
            "answer=$(curl -s -X POST -H 'content-type: application/json' --data-raw '{{\"t\":\"x\"}}' http://127.0.0.1:8000/a); \
             kept_id=$(printf %s \"$answer\" | jq -cr '.[\"made\"][0][\"id\"]'); \
             curl -s -X DELETE 'http://127.0.0.1:8000/a?id='{id}; curl -s http://127.0.0.1:8000/a/{id}/b"
        );
        assert_eq!(told("", function, &["x"]), Some(line));
        // In JSON a text is escaped, and a number alone is one.
        let function = "signature = \"f(t: text) -> http\"\nrequest = \"POST /b\"\njson = { a = \"<{t}{id}>\", n = \"{n}\" }\nheaders = { X-A = \"{id}\", X-B = \"\" }\n\
            setup = [{ request = \"GET /a\", keep.id = { json = \"/id\" }, keep.n = { type = \"i64\", json = \"/n\" } }]";
        let line = told("", function, &["x"]).expect("a line");
        let last = line.rsplit_once("; ").expect("several").1;
        assert_eq!(
            last,
            "curl -s -X POST -H 'X-A: '\"$kept_id\" -H 'X-B;' -H 'content-type: application/json' --data-raw \
             '{\"a\":\"<x'\"$(jq -rn --arg v \"$kept_id\" '$v|tojson|.[1:-1]')\"'>\",\"n\":'\"$kept_n\"'}' http://127.0.0.1:8000/b"
        );
    }
}

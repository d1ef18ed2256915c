//! `[target] http`: web services, and the requests that calls become.

use std::ops::Range;

use dodona_target::{Diagnostic, Type, on_one_line};

use super::super::functions::Entry;
use super::super::section::{Item, Section};
use super::found::Searched;
use super::request::{RequestKeys, header_name, is_header_text, is_of_path, request};
use super::setup::{Setup, setup};
use super::{no_effect, outputs};
use crate::outside::{Found, HttpCall, HttpReset, HttpSecret, HttpService, ResetBefore};

/// What `[target]` says of a web service.
pub(super) fn service(
    target: &Section<'_>,
    item: Item<'_>,
    entries: &mut [Entry<'_>],
) -> Option<HttpService> {
    for key in ["environment", "pass"] {
        if let Some(item) = target.get(key) {
            no_effect(
                target,
                "http",
                key,
                &item,
                "a web service is started by somebody else; `secrets` names variables of the environment",
            );
        }
    }
    let base = base(&item);
    let secrets = target.section("a table of headers", "secrets").map_or(Some(Vec::new()), secrets);
    let rate = target.get("rate").map_or(Some(None), |item| rate(&item).map(Some));
    let reset = target.get("reset").map_or(Some(None), |item| reset(&item).map(Some));
    let headers = target.get("headers");
    let hidden = secrets.as_deref().unwrap_or_default();
    let steps = entries.iter().filter_map(|entry| entry.program.setup?.as_list()).flatten();
    let of_steps: Vec<Item<'_>> = steps
        .filter(Item::is_table)
        .filter_map(|step| step.section("a step of a setup")?.get("headers"))
        .collect();
    let of_functions = entries.iter().filter_map(|entry| entry.program.headers);
    for item in headers.into_iter().chain(of_functions).chain(of_steps) {
        refuse_hidden(&item, hidden);
    }
    let calls: Vec<Option<HttpCall>> = entries.iter_mut().map(|entry| call(target, headers, entry)).collect();
    let calls: Option<Vec<HttpCall>> = calls.into_iter().collect();
    Some(HttpService { base: base?, secrets: secrets?, rate: rate?, reset: reset?, calls: calls? })
}

/// The address that all requests begin with.
fn base(item: &Item<'_>) -> Option<String> {
    let text = item.text()?;
    let wrong = |said: &str, hint: &str| {
        item.problem(Diagnostic::new(item.span(), said).hint(hint));
        None
    };
    let rest = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let Some(rest) = rest else {
        return wrong("this is no address of a web service", "write http = \"http://127.0.0.1:8000\"");
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if host.contains('@') {
        return wrong(
            "an address has no user and password in a manifest",
            "write secrets = { Authorization = \"VARIABLE\" }, which names a variable of the environment",
        );
    }
    let is_host = |byte: u8| byte.is_ascii_alphanumeric() || b"-._:[]".contains(&byte);
    let port = host.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')).map(|(_, port)| port);
    if host.is_empty() || !host.bytes().all(is_host) || port.is_some_and(|port| port.parse::<u16>().is_err())
    {
        return wrong("the address names no host", "write http = \"http://127.0.0.1:8000\"");
    }
    if !path.bytes().all(|byte| is_of_path(byte) && byte != b'?') {
        return wrong(
            "the address is a host and a path",
            "write what stands behind the path in `request` and `query`",
        );
    }
    Some(text.trim_end_matches('/').to_owned())
}

/// Headers whose values are variables of the environment: `"API_TOKEN"`, or `"Bearer ${API_TOKEN}"`.
fn secrets(section: Section<'_>) -> Option<Vec<HttpSecret>> {
    let is_variable = |name: &str| {
        let is_first = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
        name.as_bytes().first().is_some_and(is_first)
            && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let one = |(name, span, item): (&str, Range<usize>, Item<'_>)| {
        let header = header_name(name, span, &item)?;
        let text = item.text()?;
        let (before, variable, after) = match text.split_once("${") {
            None => ("", text.as_str(), ""),
            Some((before, rest)) => {
                let (variable, after) = rest.split_once('}').unwrap_or(("", ""));
                (before, variable, after)
            }
        };
        if !is_variable(variable) || ![before, after].into_iter().all(is_header_text) {
            // The text is not repeated: it may be the secret itself.
            let problem = Diagnostic::new(item.span(), "this names no variable of the environment");
            let hint = "write the name of one, \"API_TOKEN\" or \"Bearer ${API_TOKEN}\"; the secret itself does not belong into a manifest";
            item.problem(problem.hint(hint));
            return None;
        }
        let [before, variable, after] = [before, variable, after].map(str::to_owned);
        Some(HttpSecret { header, before, variable, after })
    };
    section.named().map(one).collect()
}

fn rate(item: &Item<'_>) -> Option<f64> {
    let rate = item.number()?.as_f64();
    if !(rate > 0.0 && rate.is_finite()) {
        let problem = Diagnostic::new(item.span(), "a rate is a number of requests in a second, above 0");
        item.problem(problem.hint("write rate = 20"));
        return None;
    }
    Some(rate)
}

/// `"POST /reset"`, or a table that also says when it is sent.
fn reset(item: &Item<'_>) -> Option<HttpReset> {
    if !item.is_table() {
        return reset_of(item, ResetBefore::Call);
    }
    let section = item.section("a reset")?;
    let before = match section.text("before") {
        None => ResetBefore::Call,
        Some((text, _)) if text == "call" => ResetBefore::Call,
        Some((text, _)) if text == "column" => ResetBefore::Column,
        Some((text, span)) => {
            let problem = Diagnostic::new(span, format!("`{}` is no time of a reset", on_one_line(&text)));
            item.problem(problem.hint("write before = \"call\" or before = \"column\""));
            return None;
        }
    };
    let request = section.get("request");
    if request.is_none() {
        let problem = Diagnostic::new(section.span(), "this reset has no request");
        item.problem(problem.hint("write reset = { request = \"POST /reset\" }"));
    }
    section.finish();
    reset_of(&request?, before)
}

fn reset_of(item: &Item<'_>, before: ResetBefore) -> Option<HttpReset> {
    let (method, path) = request(item, &[])?;
    Some(HttpReset { method, path: path.fixed()?.to_owned(), before })
}

/// The request of a function.
fn call(target: &Section<'_>, common: Option<Item<'_>>, entry: &mut Entry<'_>) -> Option<HttpCall> {
    refuse_others(target, entry);
    let own = entry.program;
    let names: Vec<String> = entry.function.parameters.iter().map(|p| p.name.clone()).collect();
    let Some(request) = own.request else {
        let problem = Diagnostic::new(entry.span.clone(), "this function has no request");
        target.problems.add(problem.hint("write request = \"GET /path/{parameter}\" beside the signature"));
        return None;
    };
    let Setup { steps, names, outputs: of_setup } = match own.setup {
        Some(item) => setup(&item, common, entry, names)?,
        None => Setup { names, ..Setup::default() },
    };
    let (query, headers, json, form) = (own.query, own.headers, own.json, own.form);
    let request = RequestKeys { request, query, headers, json, form }.read(common, &names)?;
    let call = HttpCall { setup: steps, request, found: Vec::new() };
    let taken = call.parameters();
    for (index, name) in names.iter().enumerate().filter(|(index, _)| !taken.contains(index)) {
        let (said, hint) = match index < entry.function.parameters.len() {
            true => (
                format!("nothing of the request takes `{name}`"),
                format!("write {{{name}}} in the path of `request`, in `query`, `headers`, `json` or `form`"),
            ),
            false => (
                format!("no request takes `{name}`, which its setup keeps"),
                format!("write {{{name}}} in a request behind that step, or remove keep.{name}"),
            ),
        };
        target.problems.add(Diagnostic::new(entry.span.clone(), said).hint(hint));
    }
    with_printable_headers(&call, entry);
    let usual = entry.is_answer.then(|| Found::of_answer().to_vec());
    let found = outputs(entry, usual, (Searched::Answer, "http"), of_setup)?;
    Some(HttpCall { found, ..call })
}

/// Keys of programs and of workers say nothing of a request.
fn refuse_others(target: &Section<'_>, entry: &Entry<'_>) {
    for (key, item) in entry.program.of_program() {
        no_effect(target, "http", key, &item, "write request = \"GET /path/{parameter}\"");
    }
    if let Some((_, span)) = &entry.path {
        let problem = Diagnostic::new(span.clone(), "`path` has no effect here: [target] is a `http`");
        target.problems.add(problem.hint("the path is a part of request = \"GET /path/{parameter}\""));
    }
    if entry.function.is_command() {
        let problem = Diagnostic::new(entry.span.clone(), "a web service is no command");
        target
            .problems
            .add(problem.hint("write -> http for the outputs status and body, or the type of the value"));
    }
    if entry.function.lowerings.iter().any(crate::Lowering::is_in_out) {
        let problem =
            Diagnostic::new(entry.span.clone(), "what a service is sent does not come back changed");
        target.problems.add(problem.hint("name an output for it: outputs.changed = { … }"));
    }
}

/// A header stands under `headers` or under `secrets`.
fn refuse_hidden(item: &Item<'_>, secrets: &[HttpSecret]) {
    let Some(section) = item.is_table().then(|| item.section("a table of headers")).flatten() else { return };
    for (name, span, _) in section.named() {
        if secrets.iter().any(|secret| secret.header.eq_ignore_ascii_case(name)) {
            let problem = Diagnostic::new(span, format!("`{name}` is among `secrets` too"));
            item.problem(problem.hint("keep one of them"));
        }
    }
}

/// A header holds visible characters of ASCII, so that a text in one has no others.
fn with_printable_headers(call: &HttpCall, entry: &mut Entry<'_>) {
    let headers = call.requests().flat_map(|request| &request.headers);
    for index in headers.flat_map(|(_, value)| value.parameters()) {
        // Behind the parameters stand values that setups keep.
        let Some(parameter) = entry.function.signature.parameters.get_mut(index) else { continue };
        if parameter.ty == Type::Text {
            let alphabet = parameter.domain.alphabet.take().unwrap_or_else(|| (' '..='~').collect());
            parameter.domain.alphabet =
                Some(alphabet.into_iter().filter(|c| matches!(c, ' '..='~')).collect());
        }
    }
}

//! Requests as lines of a shell, so that a violation can be seen without Dodona.

use dodona_subject::{HttpReset, HttpSecret, HttpService, ResetBefore};

use super::request::Request;

/// The command of curl that makes a request, behind the one that resets the service where each call needs that. Secrets stay variables of the environment. `None` where
/// a shell has no word for it: nothing can have a zero byte.
pub(super) fn line(service: &HttpService, request: &Request) -> Option<String> {
    let made = curl(service, request)?;
    Some(match &service.reset {
        Some(HttpReset { method, path, before: ResetBefore::Call }) => {
            format!("{}; {made}", curl(service, &Request::new(method, path))?)
        }
        _ => made,
    })
}

fn curl(service: &HttpService, request: &Request) -> Option<String> {
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
        line += &format!(" -H {}", word(&format!("{name}: {}", std::str::from_utf8(value).ok()?))?);
    }
    for HttpSecret { header, before, variable, after } in &service.secrets {
        let after = if after.is_empty() { String::new() } else { word(after)? };
        line += &format!(" -H {}\"${variable}\"{after}", word(&format!("{header}: {before}"))?);
    }
    if let Some((kind, body)) = &request.body {
        if !request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("content-type")) {
            line += &format!(" -H {}", word(&format!("content-type: {kind}"))?);
        }
        line += &format!(" --data-raw {}", word(std::str::from_utf8(body).ok()?)?);
    }
    Some(format!("{line} {}", word(&format!("{}{}", service.base, request.path))?))
}

/// A text as one word of a shell.
fn word(text: &str) -> Option<String> {
    shlex::try_quote(text).ok().map(|word| word.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_made_by_hand_without_its_secrets() {
        let secret = HttpSecret {
            header: "Authorization".into(),
            before: "Bearer ".into(),
            variable: "TOKEN".into(),
            after: String::new(),
        };
        let reset = HttpReset { method: "POST".into(), path: "/reset".into(), before: ResetBefore::Call };
        let service = HttpService {
            base: "http://127.0.0.1:8000".into(),
            secrets: Vec::new(),
            rate: None,
            reset: None,
            calls: Vec::new(),
        };
        let request = Request::new("GET", "/items?q=it%27s&n=1");
        assert_eq!(
            line(&service, &request).as_deref(),
            Some("curl -s 'http://127.0.0.1:8000/items?q=it%27s&n=1'")
        );
        let service = HttpService { secrets: vec![secret], reset: Some(reset), ..service };
        let request = Request {
            headers: vec![("X-A".into(), b"it's".to_vec())],
            body: Some(("application/json", br#"{"a": "b"}"#.to_vec())),
            ..Request::new("PUT", "/a")
        };
        let secret = "-H 'Authorization: Bearer '\"$TOKEN\"";
        assert_eq!(
            line(&service, &request).expect("a line"),
            format!(
                "curl -s -X POST {secret} http://127.0.0.1:8000/reset; curl -s -X PUT -H \"X-A: it's\" {secret} \
                 -H 'content-type: application/json' --data-raw '{{\"a\": \"b\"}}' http://127.0.0.1:8000/a"
            )
        );
        assert_eq!(line(&service, &Request { body: Some(("text/plain", vec![0])), ..request }), None);
    }
}

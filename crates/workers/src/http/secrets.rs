//! Headers whose values come from the environment, and stand in nothing that is told or kept.

use std::collections::BTreeSet;
use std::fmt;

use dodona_subject::HttpSecret;

use super::HttpError;
use super::encode::encoded;

/// The least length of a word of a secret that is taken out by itself: shorter ones, such as `Bearer`, are no secrets.
const LEAST_WORD: usize = 8;

/// The secrets of a service.
#[derive(Clone, Default)]
pub(super) struct Secrets {
    /// The headers with their values.
    pub(super) headers: Vec<(String, String)>,
    /// What is taken out of answers, with what stands in its place. The longest first, because one may be a part of another.
    hidden: Vec<(Vec<u8>, Vec<u8>)>,
}

/// A percent-encoded text with the digits `a` to `f` in lower case.
fn lower_digits(text: &str) -> String {
    let mut parts = text.split('%');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |whole, part| {
        let (digits, rest) = part.split_at(part.len().min(2));
        format!("{whole}%{}{rest}", digits.to_ascii_lowercase())
    })
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.headers.iter().map(|(name, _)| name)).finish()
    }
}

impl Secrets {
    /// Reads the variables of the environment.
    ///
    /// # Errors
    /// When one is not set, is empty, or cannot be a header. The error does not have its value.
    pub(super) fn read(
        declared: &[HttpSecret],
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Secrets, HttpError> {
        let mut secrets = Secrets::default();
        for HttpSecret { header, before, variable: name, after } in declared {
            let value = variable(name).filter(|value| !value.is_empty());
            let value = value.ok_or_else(|| HttpError::NoSecret(header.clone()))?;
            if !value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
                return Err(HttpError::NoHeader(header.clone()));
            }
            secrets.headers.push((header.clone(), format!("{before}{value}{after}")));
            let shown = format!("[secret {header}]").into_bytes();
            let words = value.split(' ').filter(|word| word.len() >= LEAST_WORD && *word != value);
            for word in words.chain([value.as_str()]) {
                let json = serde_json::to_string(word).unwrap_or_default();
                // In an address, many encode all but the slash, or write digits in lower case.
                let address = encoded(word.as_bytes());
                let path = address.replace("%2F", "/");
                let lower = [&address, &path].map(|form| lower_digits(form));
                let forms = [word.to_owned(), json.trim_matches('"').to_owned(), address, path]
                    .into_iter()
                    .chain(lower);
                let forms: BTreeSet<String> = forms.collect();
                secrets.hidden.extend(forms.into_iter().map(|form| (form.into_bytes(), shown.clone())));
            }
        }
        secrets.hidden.sort_by_key(|(form, _)| std::cmp::Reverse(form.len()));
        Ok(secrets)
    }

    /// The same bytes with the name of the header in place of each secret. A service may tell what it was sent.
    pub(super) fn without(&self, bytes: Vec<u8>) -> Vec<u8> {
        if self.hidden.is_empty() {
            return bytes;
        }
        let mut rest = bytes.as_slice();
        let mut kept = Vec::with_capacity(bytes.len());
        while let Some(&first) = rest.first() {
            match self.hidden.iter().find(|(form, _)| rest.starts_with(form)) {
                Some((form, shown)) => {
                    kept.extend_from_slice(shown);
                    rest = &rest[form.len()..];
                }
                None => {
                    kept.push(first);
                    rest = &rest[1..];
                }
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_stands_in_no_form_in_what_is_told() {
        let declared = [HttpSecret {
            header: "Authorization".into(),
            before: String::new(),
            variable: "TOKEN".into(),
            after: String::new(),
        }];
        let read = |value: &'static str| Secrets::read(&declared, move |_| Some(value.to_owned()));
        let secrets = read("Bearer abc/\"defgh").expect("it is set");
        let without =
            |text: &str| String::from_utf8(secrets.without(text.as_bytes().to_vec())).expect("it is UTF-8");
        assert_eq!(without("you sent Bearer abc/\"defgh."), "you sent [secret Authorization].");
        assert_eq!(without("abc/\\\"defgh Bearer"), "[secret Authorization] Bearer");
        assert_eq!(without("t=abc%2F%22defgh"), "t=[secret Authorization]");
        assert_eq!(
            without("t=abc/%22defgh u=abc%2f%22defgh"),
            "t=[secret Authorization] u=[secret Authorization]"
        );
        assert_eq!(format!("{secrets:?}"), "[\"Authorization\"]");
        assert!(read("").is_err() && read("a\nb").is_err());
    }
}

//! The pages that are named in the dialogue of a printer.

/// The number of a page.
fn page(text: &str) -> Option<u32> {
    let only_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number| only_digits && number > 0)
}

/// The first and the last page of a part, both included. The end of a range without an end is the last page of the document, or
/// where the range begins if that is beyond it.
fn part(text: &str, last: u32) -> Option<(u32, u32)> {
    let Some((from, to)) = text.split_once('-') else {
        return page(text).map(|only| (only, only));
    };
    let (from, to) = (from.trim(), to.trim());
    let (first, end) = match (from.is_empty(), to.is_empty()) {
        (true, true) => return None,
        (true, false) => (1, page(to)?),
        (false, true) => {
            let first = page(from)?;
            (first, last.max(first))
        }
        (false, false) => (page(from)?, page(to)?),
    };
    (first <= end).then_some((first, end))
}

/// The pages that `spec` names, of a document whose pages are numbered from 1 to `last`: in ascending order, each of them once.
///
/// `spec` is a list of pages (`7`) and ranges (`3-5`, `-5`, `3-`) separated by commas. Pages beyond the last are left out, and empty
/// parts ignored.
///
/// # Errors
/// A message that quotes the first part that is neither a page nor a range.
pub fn parse_pages(spec: &str, last: u32) -> Result<Vec<u32>, String> {
    let mut pages = Vec::new();
    for text in spec.split(',').map(str::trim).filter(|text| !text.is_empty()) {
        let (first, end) = part(text, last).ok_or_else(|| format!("`{text}` is no page and no range of pages"))?;
        pages.extend(first..=end.min(last));
    }
    pages.sort_unstable();
    pages.dedup();
    Ok(pages)
}

#[cfg(test)]
mod tests {
    use super::parse_pages;

    #[test]
    fn pages_are_in_order_and_named_once() {
        assert_eq!(parse_pages("1-3, 7", 10), Ok(vec![1, 2, 3, 7]));
        assert_eq!(parse_pages("4,2,3-4", 10), Ok(vec![2, 3, 4]));
        assert_eq!(parse_pages("9-", 10), Ok(vec![9, 10]));
        assert_eq!(parse_pages("-2,,", 10), Ok(vec![1, 2]));
        assert_eq!(parse_pages("", 10), Ok(vec![]));
    }

    #[test]
    fn pages_beyond_the_last_are_left_out() {
        assert_eq!(parse_pages("8-4294967295", 10), Ok(vec![8, 9, 10]));
        assert_eq!(parse_pages("11, 12-", 10), Ok(vec![]));
    }

    #[test]
    fn what_is_no_page_is_an_error() {
        for spec in ["-", "0", "5-2", "+1", "1-2-3", "a", "4294967296"] {
            assert!(parse_pages(spec, 10).is_err(), "{spec}");
        }
    }
}

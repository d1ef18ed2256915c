//! Whole documents: what is read of them, what is drafted, and that what is drafted can be read.

mod common;

use dodona_openapi::{Api, Called, Changes, Draft, candidates, read};
use dodona_target::describe_domain;

const SHOP: &str = include_str!("../testdata/shop.json");
const POSTS: &str = include_str!("../testdata/posts_3_0.json");
const CYCLE: &str = include_str!("../testdata/cycle.json");
const NO_VALUE: &str = include_str!("../testdata/no_value.json");

fn api(text: &str) -> Api {
    read(text).expect("a document")
}

/// Drafts, and reads what was drafted.
fn drafted(api: &Api) -> Draft {
    common::drafted(api, Changes::Kept)
}

fn described(api: &Api, operation: &str) -> Vec<String> {
    let operation = api.operations.iter().find(|found| found.name == operation).expect("the operation");
    let parameters = operation.parameters.iter();
    parameters.map(|p| format!("{}: {} {}", p.name, p.ty, describe_domain(p.ty, &p.domain))).collect()
}

fn left<'a>(api: &'a Api, what: &str) -> &'a str {
    &api.left.iter().find(|left| left.what == what).unwrap_or_else(|| panic!("{what} in {:?}", api.left)).why
}

#[test]
fn a_document_of_fastapi_is_read() {
    let api = api(SHOP);
    let names: Vec<&str> = api.operations.iter().map(|operation| operation.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "list_categories",
            "list_items",
            "create_item",
            "get_item",
            "delete_item",
            "get_price",
            "list_reviews"
        ]
    );
    assert_eq!(
        described(&api, "list_items"),
        [
            "min_price: f64 range = [0, 1000]",
            "max_price: f64 range = [0, 1000]",
            "category: text values = [\"books\", \"games\", \"tools\"]",
            "q: text length = [0, 20]",
            "sort: text values = [\"id\", \"price\", \"name\"]",
            "order: text values = [\"asc\", \"desc\"]",
            "limit: i64 range = [1, 100]",
            "offset: i64 range = [0, 1000]",
        ]
    );
    assert_eq!(described(&api, "get_price")[1], "quantity: i64 range = [1, 999]");
    assert_eq!(described(&api, "create_item").len(), 3);
    let item = &api.operations[3];
    assert_eq!(item.parameters[0].values_from.as_deref(), Some("list_items"));
    let list = &api.operations[1].response;
    assert_eq!(list.total.as_ref().expect("a total").pointer, "/total");
    let records = list.records.as_ref().expect("records");
    assert_eq!(records.fields[records.key.expect("a key")].pointer, "/items/*/id");
    let note = records.fields.iter().find(|field| field.name == "note").expect("it may be null, and is told");
    assert_eq!(note.ty.to_string(), "text");
}

#[test]
fn a_shop_has_relations_of_all_patterns() {
    let api = api(SHOP);
    let draft = drafted(&api);
    let found = candidates(&api, Changes::Undone);
    let patterns: std::collections::BTreeSet<&str> =
        found.relations.iter().map(|relation| relation.pattern.name()).collect();
    assert_eq!(patterns.len(), 6, "{patterns:?}");
    for expected in [
        "when min_price <= more and len(list_items_whole()) < 100:",
        "list_items_by_min_price(more) is_subset_of list_items_by_min_price(min_price)",
        "concat(list_items_page(sort, order, limit, offset), list_items_page(sort, order, more, offset + limit)) == list_items_page(sort, order, limit + more, offset)",
        "list_items_page(sort, order, limit, offset) is_prefix_of list_items_page(sort, order, limit + k, offset)",
        "list_items_sorted(\"price\", \"desc\").price == reverse(sorted(list_items_whole().price))",
        "when defined(list_items_by_q(q)):\n    list_items_by_q(upper(q)) == list_items_by_q(lower(q))",
        "list_items_by_min_price_and_max_price(min_price, max_price) is_subset_of list_items_by_min_price(min_price) and",
        "concat(list_reviews_page(2 * page - 1, size), list_reviews_page(2 * page, size)) == list_reviews_page(page, 2 * size)",
    ] {
        assert!(draft.relations.contains(expected), "{expected}\n{}", draft.relations);
    }
    assert!(
        draft.manifest.contains("query = { min_price = \"{min_price}\", limit = \"100\" }"),
        "{}",
        draft.manifest
    );
    assert!(draft.manifest.contains("\n# request = \"POST /items\""), "{}", draft.manifest);
}

#[test]
fn what_creates_and_deletes_has_relations_where_the_service_is_reset() {
    let api = api(SHOP);
    let kept = common::drafted(&api, Changes::Kept);
    assert!(!kept.relations.contains("create_item"), "{}", kept.relations);
    let draft = common::drafted(&api, Changes::Undone);
    for expected in [
        "relation list_items_create_item_adds_one:\n    list_items_after_create_item(category, name, price).total == list_items_whole().total + 1",
        "list_items_whole() is_subset_of list_items_after_create_item(category, name, price)",
        "list_items_after_create_item(category, name, price).price_ contains price",
        "list_items_after_delete_item(item_id) is_disjoint_from [item_id]",
        "list_items_whole() is_permutation_of concat([item_id], list_items_after_delete_item(item_id))",
        "list_items_after_create_item_and_delete_item(category, name, price) is_permutation_of list_items_whole()",
    ] {
        assert!(draft.relations.contains(expected), "{expected}\n{}", draft.relations);
    }
    let setup = "setup = [\n  { request = \"POST /items\", json = { category = \"{category}\", name = \"{name}\", price = \"{price}\" }, \
        keep.created = { json = \"/id\" } },\n  { request = \"DELETE /items/{created}\" },\n]\nrequest = \"GET /items\"\nquery = { limit = \"100\" }\n";
    assert!(draft.manifest.contains(setup), "{}", draft.manifest);
}

#[test]
fn a_document_of_3_0_is_read() {
    let api = api(POSTS);
    assert_eq!(api.server.as_deref(), Some("https://posts.example/v1"));
    let posts = described(&api, "get_posts");
    assert_eq!(posts[0], "userId: i32 range = [1, 10]");
    assert!(posts.contains(&"page: i64 range = [1, 1001]".to_owned()), "{posts:?}");
    assert_eq!(left(&api, "GET /posts, parameter tags"), "its values are lists");
    let draft = drafted(&api);
    assert!(
        draft.manifest.contains("# left out DELETE /posts/{id}: its response has no numbers"),
        "{}",
        draft.manifest
    );
    assert!(
        draft.relations.contains("get_posts_sorted(\"views:desc\").views == reverse(sorted("),
        "{}",
        draft.relations
    );
    assert!(draft.relations.contains("relation get_posts_published_complete"), "{}", draft.relations);
    assert!(
        draft.relations.contains(
            "lines(users_list_by_search(concat(search, more))) is_subset_of lines(users_list_by_search(search))"
        ),
        "{}",
        draft.relations
    );
}

#[test]
fn a_cycle_is_told_and_cut() {
    let api = api(CYCLE);
    let names: Vec<&str> = api.operations.iter().map(|operation| operation.name.as_str()).collect();
    assert_eq!(names, ["list_trees"]);
    for what in ["GET /grow", "POST /plant", "GET /all"] {
        assert!(left(&api, what).contains("refers to itself"), "{what}");
    }
    drafted(&api);
}

#[test]
fn what_no_value_fits_is_told() {
    let api = api(NO_VALUE);
    assert!(left(&api, "GET /required").contains("no value fits"));
    assert!(left(&api, "GET /pattern").contains("(?=a)b+(c|d)*"));
    for parameter in ["length", "short", "between", "never"] {
        assert!(left(&api, &format!("GET /optional, parameter {parameter}")).contains("no value fits"));
    }
    assert_eq!(described(&api, "optional"), ["good: i64 range = [1, 3]"]);
    assert!(drafted(&api).manifest.contains("# left out GET /required: parameter x: no value fits"));
}

#[test]
fn garbage_is_refused() {
    for text in
        ["", "\u{0}", "[[[[", "{\"openapi\": \"3.1.0\", \"paths\": 3}", "<html>", "null", &"[".repeat(10_000)]
    {
        assert!(read(text).is_err(), "{text}");
    }
}

#[test]
fn what_stands_in_no_address_does_not_spoil_a_draft() {
    let document = |server: &str| {
        format!(
            r#"{{"openapi": "3.1.0", "servers": [{{"url": "{server}"}}], "paths": {{"/\u65e5 #/{{x y}}": {{"get": {{
                "parameters": [{{"name": "x y", "in": "path", "required": true, "schema": {{"type": "integer"}}}}],
                "responses": {{"200": {{"content": {{"application/json": {{"schema": {{"type": "number"}}}}}}}}}}}}}}}}}}"#
        )
    };
    for (server, address) in [
        ("/v1", "http://127.0.0.1:8000/v1"),
        ("https://shop.example/", "https://shop.example"),
        ("http://{host}/v1", "http://127.0.0.1:8000"),
        ("http://me:secret@shop.example", "http://127.0.0.1:8000"),
    ] {
        let api = dodona_openapi::read(&document(server)).expect("a document");
        assert_eq!(api.address(None), address, "{server}");
    }
    let api = dodona_openapi::read(&document("/v1")).expect("a document");
    assert_eq!(api.address(Some("http://shop.example")), "http://shop.example/v1");
    let left: Vec<&str> = api.left.iter().map(|left| left.why.as_str()).collect();
    assert_eq!(left, ["its path is no path of an address"], "a space in a path is a mistake");
}

#[test]
fn totals_and_records_are_found_one_object_below() {
    let document = r#"{"openapi": "3.1.0", "paths": {"/a": {"get": {"responses": {"200": {"content": {"application/json": {"schema":
        {"type": "object", "properties": {"data": {"type": "object", "properties": {"items": {"type": "array", "items":
        {"type": "object", "properties": {"id": {"type": "string"}}}}, "total": {"type": "integer"}}}}}}}}}}}}}"#;
    let api = dodona_openapi::read(document).expect("a document");
    let response = &api.operations[0].response;
    assert_eq!(response.records.as_ref().map(|records| records.pointer.as_str()), Some("/data/items"));
    assert_eq!(response.total.as_ref().map(|total| total.pointer.as_str()), Some("/data/total"));
    let draft = dodona_openapi::draft(&api, "s", Called::default());
    assert!(
        draft.relations.contains("len(lines(get_a_whole())) == get_a_whole().total"),
        "{}",
        draft.relations
    );
}

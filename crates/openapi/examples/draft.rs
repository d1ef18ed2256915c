//! Prints what is drafted of a document: `cargo run -p dodona-openapi --example draft -- openapi.json [ADDRESS]`.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().ok_or("name a document")?;
    let api = dodona_openapi::read(&std::fs::read_to_string(path)?)?;
    let (address, reset) = (arguments.next(), arguments.next());
    let called = dodona_openapi::Called { address: address.as_deref(), reset: reset.as_deref() };
    let draft = dodona_openapi::draft(&api, "drafted", called);
    println!("{}\n# ---- drafted.mr\n{}", draft.manifest, draft.relations);
    Ok(())
}

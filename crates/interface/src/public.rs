//! The paths by which the items of a crate can be named from outside.

use std::collections::HashSet;

use rustdoc_types::{Crate, Id, Item, ItemEnum, Visibility};

/// An item with its path from outside: `["gcd", "Gcd"]`.
pub(crate) struct Public<'d> {
    pub(crate) path: Vec<String>,
    pub(crate) item: &'d Item,
}

/// All items that have a public path, each by its shortest one, in the order of the documentation.
pub(crate) fn items<'d>(document: &'d Crate, root: &str) -> Vec<Public<'d>> {
    let mut walk = Walk { document, open: HashSet::new(), found: Vec::new() };
    walk.module(document.root, &[root.to_owned()]);
    let mut found = walk.found;
    // Stable: of two paths of one length the first is kept.
    found.sort_by_key(|public| public.path.len());
    let mut seen = HashSet::new();
    found.retain(|public| seen.insert(public.item.id));
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

struct Walk<'d> {
    document: &'d Crate,
    /// The modules that are being walked: a module may name one that it stands in.
    open: HashSet<Id>,
    found: Vec<Public<'d>>,
}

impl<'d> Walk<'d> {
    fn module(&mut self, id: Id, path: &[String]) {
        let Some(item) = self.document.index.get(&id) else { return };
        let children = match &item.inner {
            ItemEnum::Module(module) => &module.items,
            // `use Kind::*` names the variants of an enum.
            _ => return,
        };
        if !self.open.insert(id) {
            return;
        }
        for child in children {
            if let Some(child) = self.document.index.get(child) {
                self.item(child, path);
            }
        }
        self.open.remove(&id);
    }

    fn item(&mut self, item: &'d Item, path: &[String]) {
        if !matches!(item.visibility, Visibility::Public) {
            return;
        }
        if let ItemEnum::Use(named) = &item.inner {
            let Some(id) = named.id else { return };
            if named.is_glob {
                return self.module(id, path);
            }
            if let Some(target) = self.document.index.get(&id) {
                self.place(target, &named.name, path);
            }
            return;
        }
        if let Some(name) = &item.name {
            self.place(item, name, path);
        }
    }

    fn place(&mut self, item: &'d Item, name: &str, path: &[String]) {
        let mut path = path.to_vec();
        path.push(name.to_owned());
        if let ItemEnum::Module(_) = item.inner {
            self.module(item.id, &path);
        }
        self.found.push(Public { path, item });
    }
}

/// Names that a crate exports and another crate declares: rustdoc knows their names alone.
pub(crate) fn foreign(document: &Crate) -> Vec<(String, String)> {
    let named = document.index.values().filter_map(|item| match &item.inner {
        ItemEnum::Use(named) if matches!(item.visibility, Visibility::Public) => {
            let id = named.id?;
            let summary = document.paths.get(&id).filter(|_| !document.index.contains_key(&id))?;
            let declared_in = document.external_crates.get(&summary.crate_id)?;
            if ["std", "core", "alloc"].contains(&declared_in.name.as_str()) {
                return None;
            }
            Some((named.name.clone(), declared_in.name.clone()))
        }
        _ => None,
    });
    let mut named: Vec<(String, String)> = named.collect();
    named.sort();
    named.dedup();
    named
}

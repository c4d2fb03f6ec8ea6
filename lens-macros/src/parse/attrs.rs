//! What stands in front of an item.

use syn::Attribute;

/// The attributes of an item.
pub(crate) trait Attributes {
    /// Whether one is called `name`, by whatever path.
    fn has(&self, name: &str) -> bool;
}

impl Attributes for Vec<Attribute> {
    fn has(&self, name: &str) -> bool {
        self.iter().any(|attr| {
            let last = attr.path().segments.last();
            last.is_some_and(|segment| segment.ident == name)
        })
    }
}

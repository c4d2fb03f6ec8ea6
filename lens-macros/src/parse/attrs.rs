//! What stands in front of an item.

use syn::Attribute;

/// The attributes of an item.
pub(crate) trait Attributes {
    /// Whether one is called `name`, by whatever path.
    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The one that is called `name`, by whatever path.
    fn find(&self, name: &str) -> Option<&Attribute>;
}

impl Attributes for Vec<Attribute> {
    fn find(&self, name: &str) -> Option<&Attribute> {
        self.iter().find(|attr| {
            let last = attr.path().segments.last();
            last.is_some_and(|segment| segment.ident == name)
        })
    }
}

//! What a record says of itself, through whichever facade it was made.

use log::{Level, Record};

/// Where a record is from, and how severe it is.
pub(super) trait Origin {
    fn level(&self) -> Level;
    fn target(&self) -> &str;
    /// The target, where it need not be copied.
    fn literal_target(&self) -> Option<&'static str>;
    /// The target, where it is the module as well, one literal.
    #[inline]
    fn literal(&self) -> Option<&'static str> {
        let target = self.literal_target();
        target.filter(|target| std::ptr::eq(*target, self.module()))
    }
    fn module(&self) -> &str;
    fn file(&self) -> Option<&str>;
    /// The name of the file, where that lives for ever.
    fn literal_file(&self) -> Option<&'static str>;
    fn line(&self) -> Option<u32>;
}

impl Origin for Record<'_> {
    #[inline]
    fn level(&self) -> Level {
        Record::level(self)
    }

    #[inline]
    fn target(&self) -> &str {
        Record::target(self)
    }

    /// The target of a macro call that names none of its own.
    #[inline]
    fn literal_target(&self) -> Option<&'static str> {
        let module = self.module_path_static();
        let is_target = |module: &&'static str| {
            std::ptr::eq(*module, Record::target(self)) || *module == Record::target(self)
        };
        module.filter(is_target)
    }

    // Without comparing texts first.
    #[inline]
    fn literal(&self) -> Option<&'static str> {
        let module = self.module_path_static();
        module.filter(|module| std::ptr::eq(*module, Record::target(self)))
    }

    #[inline]
    fn module(&self) -> &str {
        self.module_path().unwrap_or_default()
    }

    #[inline]
    fn file(&self) -> Option<&str> {
        Record::file(self)
    }

    #[inline]
    fn literal_file(&self) -> Option<&'static str> {
        self.file_static()
    }

    #[inline]
    fn line(&self) -> Option<u32> {
        Record::line(self)
    }
}

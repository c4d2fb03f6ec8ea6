//! A value that a cell of a thread has while something runs.

use std::cell::Cell;
use std::thread::LocalKey;

/// Runs `f` while `cell` has `value`, also when it panics; what was there before is there again
/// behind it. Where the thread is ending and the cell is gone, `f` runs all the same.
#[inline]
pub(crate) fn during<T: Copy + 'static, R>(
    cell: &'static LocalKey<Cell<T>>,
    value: T,
    f: impl FnOnce() -> R,
) -> R {
    struct Restore<T: Copy + 'static>(&'static LocalKey<Cell<T>>, Option<T>);
    impl<T: Copy> Drop for Restore<T> {
        fn drop(&mut self) {
            if let Some(before) = self.1 {
                let _ = self.0.try_with(|cell| cell.set(before));
            }
        }
    }
    let before = cell.try_with(|cell| cell.replace(value)).ok();
    let _restore = Restore(cell, before);
    f()
}

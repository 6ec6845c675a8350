//! A value that tasks wait for. Those of `tokio::sync::watch` wake in an order that is drawn at random, which no seed decides.

use std::sync::Mutex;

use tokio::sync::Notify;

use crate::link::lock;

#[derive(Default)]
pub(crate) struct Watched<T> {
    value: Mutex<T>,
    changed: Notify,
}

impl<T> Watched<T> {
    pub(crate) fn read<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(&lock(&self.value))
    }

    pub(crate) fn change(&self, change: impl FnOnce(&mut T)) {
        change(&mut lock(&self.value));
        self.changed.notify_waiters();
    }

    /// Those who wait go on in the order in which they came.
    pub(crate) async fn wait_for(&self, is_so: impl Fn(&T) -> bool) {
        loop {
            let changed = self.changed.notified();
            if self.read(&is_so) {
                return;
            }
            changed.await;
        }
    }
}

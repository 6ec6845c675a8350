//! Room for bodies: how much of them a server holds at once, whoever sends how many.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// What is held of large bodies at once, in units. What a program makes of JSON is up to some fifty times as large.
const UNITS_MAX: usize = 16 * 1024;
/// Bytes of a unit.
const UNIT_BYTES: usize = 1024;
/// What every body may have beside: calls are seldom longer, so large bodies of others are no trouble to them.
const FREE_BYTES: usize = 16 * 1024;

/// The room of one server; clones share it.
#[derive(Debug, Clone)]
pub struct BodyRoom(Arc<Semaphore>);

impl Default for BodyRoom {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(UNITS_MAX)))
    }
}

impl BodyRoom {
    /// Of a body that has not begun.
    pub(crate) fn share(&self) -> Share {
        Share {
            room: self.clone(),
            taken: None,
        }
    }
}

/// What one body has of the room, given back on drop.
#[derive(Debug)]
pub struct Share {
    room: BodyRoom,
    taken: Option<OwnedSemaphorePermit>,
}

impl Share {
    /// Takes what so many bytes need. Nothing waits: bodies that wait for each other would all stay.
    pub(crate) fn grow_to(&mut self, bytes: usize) -> bool {
        let needed = bytes.saturating_sub(FREE_BYTES).div_ceil(UNIT_BYTES);
        let taken = self.taken.as_ref().map_or(0, OwnedSemaphorePermit::num_permits);
        let Ok(more) = u32::try_from(needed.saturating_sub(taken)) else {
            return false;
        };
        match Arc::clone(&self.room.0).try_acquire_many_owned(more) {
            Ok(permit) => {
                match &mut self.taken {
                    Some(taken) => taken.merge(permit),
                    None => self.taken = Some(permit),
                }
                true
            }
            Err(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bodies_share_the_room_and_small_ones_need_none() {
        let room = BodyRoom::default();
        let all = FREE_BYTES + UNITS_MAX * UNIT_BYTES;
        let (mut first, mut second) = (room.share(), room.share());
        assert!(first.grow_to(all / 2) && first.grow_to(all));
        assert!(second.grow_to(FREE_BYTES));
        assert!(!second.grow_to(FREE_BYTES + 1));
        drop(first);
        assert!(second.grow_to(all));
        assert!(!second.grow_to(all + 1));
    }
}

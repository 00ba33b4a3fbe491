//! Positions by their hashes: an open table of 64-bit keys.
//!
//! The hash is the key. Among a million positions the chance that any two
//! share one is below 10⁻⁷.

use super::NodeId;

const EMPTY: NodeId = NodeId::MAX;

/// Hashes and the nodes they lead to.
#[derive(Default)]
pub(super) struct Index {
    /// A power of two of them, at most half in use.
    slots: Vec<Slot>,
    used: usize,
    /// Used slots on their way to a larger table.
    moving: Vec<Slot>,
}

#[derive(Clone, Copy)]
struct Slot {
    /// The hash in two halves, so that a slot takes 12 bytes.
    hash: [u32; 2],
    node: NodeId,
}

const FREE: Slot = Slot { hash: [0; 2], node: EMPTY };

impl Slot {
    fn whole_hash(self) -> u64 {
        u64::from(self.hash[0]) << 32 | u64::from(self.hash[1])
    }
}

fn halves(hash: u64) -> [u32; 2] {
    [(hash >> 32) as u32, hash as u32]
}

impl Index {
    /// Forgets all, and keeps the memory.
    pub(super) fn clear(&mut self) {
        // A table that was large once need not be emptied to its end again
        // and again for small trees.
        let small = (self.used * 4).next_power_of_two().max(64);
        self.slots.truncate(small);
        self.slots.fill(FREE);
        self.used = 0;
    }

    #[inline]
    fn place(&self, hash: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = hash as usize & mask;
        while self.slots[place].node != EMPTY && self.slots[place].hash != halves(hash) {
            place = (place + 1) & mask;
        }
        place
    }

    pub(super) fn get(&self, hash: u64) -> Option<NodeId> {
        if self.slots.is_empty() {
            return None;
        }
        let node = self.slots[self.place(hash)].node;
        (node != EMPTY).then_some(node)
    }

    /// The node with this hash; it is `node` if there was none.
    #[inline]
    pub(super) fn get_or_insert(&mut self, hash: u64, node: NodeId) -> NodeId {
        if self.used * 2 >= self.slots.len() {
            self.grow();
        }
        let place = self.place(hash);
        let slot = &mut self.slots[place];
        if slot.node == EMPTY {
            *slot = Slot { hash: halves(hash), node };
            self.used += 1;
        }
        slot.node
    }

    #[cold]
    fn grow(&mut self) {
        self.moving.clear();
        self.moving.extend(self.slots.iter().filter(|slot| slot.node != EMPTY));
        self.slots.fill(FREE);
        self.slots.resize((self.slots.len() * 2).max(64), FREE);
        for at in 0..self.moving.len() {
            let slot = self.moving[at];
            let place = self.place(slot.whole_hash());
            self.slots[place] = slot;
        }
    }

    /// All hashes and their nodes, in the table's order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, NodeId)> {
        self.slots.iter().filter(|slot| slot.node != EMPTY).map(|slot| (slot.whole_hash(), slot.node))
    }

    /// The bytes of a table for what is in it: that it may be larger from
    /// earlier searches is nothing that a report on this one should tell.
    pub(super) fn bytes(&self) -> usize {
        let slots = if self.used == 0 { 0 } else { (self.used * 2).next_power_of_two().max(64) };
        slots * size_of::<Slot>()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use tesuji_core::Seed;

    use super::*;

    /// Two to four of them for a position, see docs/performance.md.
    #[test]
    fn a_slot_takes_12_bytes() {
        assert_eq!(size_of::<Slot>(), 12);
    }

    #[test]
    fn it_is_a_map() {
        let mut rng = Seed::new(1).rng();
        let mut index = Index::default();
        for run in 0..3 {
            let mut map = HashMap::new();
            // Few low bits, so that places collide.
            for next in 0..(2000 / (run + 1)) {
                let hash = rng.bits() & 0xff00_0000_0000_03ff;
                assert_eq!(index.get(hash), map.get(&hash).copied());
                assert_eq!(index.get_or_insert(hash, next), *map.entry(hash).or_insert(next));
            }
            assert_eq!(index.iter().count(), map.len());
            assert!(index.iter().all(|(hash, node)| map[&hash] == node));
            index.clear();
            assert_eq!(index.iter().count(), 0);
        }
    }
}

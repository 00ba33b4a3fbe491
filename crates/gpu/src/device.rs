//! The device as the arena sees it: searches in, reports out.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use tesuji_search::{
    DeviceError, DeviceSearch, DeviceStatus, HostHalf, Report, SearchConfig, SearchDevice, SearchId, Sight,
    TreeConfig,
};

use crate::backend::{Backend, KernelSet, Stream};
use crate::group::Group;
use crate::slots::Shape;

/// Searches that are worth handing over at once: more would wait for memory or for threads.
const CAPACITY: usize = 32_768;
/// Why a game cannot be played.
const NO_KERNELS: &str = "there are no kernels for this game on this board";
/// How much longer a launch lasts than the host works between two launches, within limits.
const LAUNCHES_TO_HOST: u32 = 20;
const SHORTEST_SLICE: Duration = Duration::from_millis(20);
const LONGEST_SLICE: Duration = Duration::from_millis(300);

/// Makes searches on a machine that runs kernels.
pub struct GpuDevice {
    backend: Box<dyn Backend>,
    groups: Vec<Group>,
    waiting: VecDeque<(SearchId, DeviceSearch, Shape)>,
    reports: Vec<(SearchId, Report)>,
    /// Bytes that slots may take.
    memory: u64,
    slice: Duration,
    samples: u64,
    n_searches: usize,
    /// Searches that no slot was large enough for, which were made on the host.
    made_here: u64,
}

/// A kind of search that a device has made, for a table of speeds.
#[derive(Clone, Debug)]
pub struct GroupStatus {
    /// The kernels of the program.
    pub kernels: KernelSet,
    /// Bytes of a search.
    pub slot_bytes: u64,
    /// Bytes of all searches at once.
    pub bytes: u64,
}

impl GpuDevice {
    /// A device on this machine.
    pub fn new(backend: Box<dyn Backend>) -> Result<GpuDevice, DeviceError> {
        // Something is left for the stacks of threads and for what the driver needs.
        let free = backend.memory()?.free;
        let memory = free.saturating_sub(4 << 30).max(free / 2);
        Ok(GpuDevice {
            backend,
            groups: Vec::new(),
            waiting: VecDeque::new(),
            reports: Vec::new(),
            memory,
            slice: SHORTEST_SLICE,
            samples: 0,
            n_searches: 0,
            made_here: 0,
        })
    }

    /// What it has made so far, kind by kind.
    pub fn groups(&self) -> Vec<GroupStatus> {
        let status = |group: &Group| GroupStatus {
            kernels: group.kernels().clone(),
            slot_bytes: group.slot_bytes(),
            bytes: group.bytes(),
        };
        self.groups.iter().map(status).collect()
    }

    /// How many searches no slot was large enough for: they were made on the host.
    pub fn made_here(&self) -> u64 {
        self.made_here
    }

    fn used(&self) -> u64 {
        self.groups.iter().map(Group::bytes).sum()
    }

    /// Bytes that slots may still take. Other programs may use the device too, so what it says it
    /// has counts as well; a part of that is left for tables and for them.
    fn left(&self) -> Result<u64, DeviceError> {
        let free = self.backend.memory()?.free;
        Ok(self.memory.saturating_sub(self.used()).min(free - free / 16))
    }

    /// The group of a shape, with a free slot if there can be one now.
    fn group_with_room(&mut self, shape: &Shape, n_words: usize) -> Result<Option<usize>, DeviceError> {
        let at = match self.groups.iter().position(|group| group.shape == *shape) {
            Some(at) => at,
            None => {
                let stream = self.next_stream();
                self.groups.push(Group::new(&mut *self.backend, shape.clone(), n_words, stream)?);
                self.groups.len() - 1
            }
        };
        if self.groups[at].has_free_slot() {
            return Ok(Some(at));
        }
        // With several groups none takes all.
        let share = if self.groups.len() == 1 { self.memory } else { self.memory / 5 * 3 };
        let mut left = self.left()?.min(share.saturating_sub(self.groups[at].bytes()));
        if left < self.groups[at].slot_bytes() {
            // What is idle gives way, the largest first: a group without slots has nothing to give.
            let idle = (0..self.groups.len())
                .filter(|&other| other != at && self.groups[other].is_idle())
                .max_by_key(|&other| self.groups[other].bytes());
            if let Some(other) = idle {
                let shape = self.groups[at].shape.clone();
                self.groups.swap_remove(other).release(&mut *self.backend);
                let at = self.groups.iter().position(|group| group.shape == shape).expect("it was kept");
                left = self.left()?;
                let wanted = self.waiting.len().max(256);
                let grown = self.groups[at].grow(&mut *self.backend, left, wanted)?;
                return Ok(grown.then_some(at));
            }
        }
        let wanted = self.waiting.len().max(256);
        Ok(self.groups[at].grow(&mut *self.backend, left, wanted)?.then_some(at))
    }

    /// The stream that the fewest groups use.
    fn next_stream(&self) -> Stream {
        let users = |stream: &Stream| self.groups.iter().filter(|group| group.stream() == *stream).count();
        Stream::ALL.into_iter().min_by_key(users).unwrap_or(Stream::FIRST)
    }

    /// Puts waiting searches into slots.
    fn admit(&mut self) -> Result<(), DeviceError> {
        let mut still_waiting = VecDeque::new();
        let mut full: Vec<Shape> = Vec::new();
        while let Some((id, search, shape)) = self.waiting.pop_front() {
            if full.contains(&shape) {
                still_waiting.push_back((id, search, shape));
                continue;
            }
            let n_words = search.sight.encoded().map_or(0, |encoded| encoded.words.len());
            match self.group_with_room(&shape, n_words)? {
                Some(at) => self.reports.extend(self.groups[at].admit(id, search)),
                None => {
                    full.push(shape.clone());
                    still_waiting.push_back((id, search, shape));
                }
            }
        }
        self.waiting = still_waiting;
        Ok(())
    }

    /// One round of launches, of all groups side by side.
    fn cycle(&mut self) -> Result<(), DeviceError> {
        let began = Instant::now();
        self.admit()?;
        let is_stuck = !self.groups.iter().any(Group::has_jobs) && self.reports.is_empty();
        if is_stuck && !self.waiting.is_empty() {
            return Err(DeviceError::Failed("the device has no memory left for a search".to_owned()));
        }
        let mut large = Vec::new();
        let n_groups = self.groups.iter().filter(|group| group.has_jobs()).count().max(1) as u32;
        for group in &mut self.groups {
            let too_large = group.launch(&mut *self.backend, self.slice, n_groups)?;
            large.extend(too_large.into_iter().map(|(id, search)| (id, search, group.shape.roomier())));
        }
        let (mut first, mut last) = (None, None);
        for group in &mut self.groups {
            let cycle = group.gather(&mut *self.backend)?;
            if let Some((began, ended)) = cycle.ended {
                (first, last) = (first.or(Some(began)), Some(ended));
            }
            self.samples += cycle.samples;
            self.reports.extend(cycle.reports);
            large.extend(cycle.too_large.into_iter().map(|(id, search)| (id, search, group.shape.roomier())));
        }
        let launched = first.zip(last).map_or(Duration::ZERO, |(first, last)| last - first);
        for (id, search, shape) in large {
            match shape {
                Some(shape) => self.waiting.push_back((id, search, shape)),
                None => {
                    self.made_here += 1;
                    self.reports.push((id, search.make_here()));
                }
            }
        }
        let host = began.elapsed().saturating_sub(launched);
        self.slice = (host * LAUNCHES_TO_HOST).clamp(SHORTEST_SLICE, LONGEST_SLICE);
        Ok(())
    }
}

impl SearchDevice for GpuDevice {
    fn accepts(&self, sight: &dyn Sight, config: &SearchConfig, samples: u64) -> Result<(), DeviceError> {
        HostHalf::check(config, samples)?;
        if sight.hides_pieces() && config.tree != TreeConfig::Flat {
            return Err(DeviceError::Unsupported(
                "pieces are hidden, and only flat(POLICY), such as flat(sh), plays such games".to_owned(),
            ));
        }
        match sight.encoded() {
            Some(_) => Ok(()),
            None => Err(DeviceError::Unsupported(NO_KERNELS.to_owned())),
        }
    }

    fn capacity(&self) -> usize {
        CAPACITY
    }

    fn begin(&mut self, id: SearchId, search: DeviceSearch) -> Result<(), DeviceError> {
        self.n_searches += 1;
        let Some(encoded) = search.sight.encoded() else {
            return Err(DeviceError::Unsupported(NO_KERNELS.to_owned()));
        };
        let shape = Shape::of(&encoded, &search)?;
        self.waiting.push_back((id, search, shape));
        Ok(())
    }

    fn wait(&mut self, until: Option<Instant>) -> Result<Vec<(SearchId, Report)>, DeviceError> {
        while self.reports.is_empty() && self.n_searches > 0 {
            if let Err(error) = self.cycle() {
                // Nothing of what was begun can be trusted; whoever asked will ask again.
                self.forget_all();
                self.groups.drain(..).for_each(|group| group.release(&mut *self.backend));
                return Err(error);
            }
            if until.is_some_and(|until| Instant::now() >= until) {
                break;
            }
        }
        self.n_searches -= self.reports.len();
        Ok(std::mem::take(&mut self.reports))
    }

    fn forget_all(&mut self) {
        self.waiting.clear();
        self.groups.iter_mut().for_each(|group| drop(group.take_all()));
        self.reports.clear();
        self.n_searches = 0;
    }

    fn status(&self) -> DeviceStatus {
        DeviceStatus {
            name: self.backend.name(),
            searches: self.n_searches,
            samples: self.samples,
            bytes: self.used(),
            all_bytes: self.memory,
        }
    }
}

//! Searches that one compiled program makes, and the cycle of launches that makes their samples.

use std::time::{Duration, Instant};

use tesuji_search::{DeviceError, DeviceSearch, HostHalf, LeafConfig, MoveSamples, Report, SearchId, Wanted};

use crate::backend::{Backend, BufferId, KernelSet, LaunchSize, Stream};
use crate::parameters::{Params, start_bytes};
use crate::program::MOST_MOVES;
use crate::slots::{Layout, OUTCOMES_OF_WORD, SUMS_OF_MOVE, Shape};

/// The arm of a job whose root is a node of the tree (`TREE_ROOT` of the kernels).
const TREE_ROOT: u32 = u32::MAX;
/// Threads of a block.
const BLOCK: u32 = 128;

/// A search in a slot.
struct Active {
    id: SearchId,
    search: DeviceSearch,
    host: HostHalf,
    /// Jobs that are not done.
    open_jobs: u32,
}

/// Samples of an arm that are being made.
#[derive(Clone, Copy, Debug)]
struct Job {
    slot: u32,
    arm: u32,
    samples: u32,
    done: u32,
}

/// What a cycle did.
#[derive(Default)]
pub(crate) struct Cycle {
    /// Searches that are over.
    pub(crate) reports: Vec<(SearchId, Report)>,
    /// Searches that did not fit into their slots.
    pub(crate) too_large: Vec<(SearchId, DeviceSearch)>,
    /// Samples that searches have seen.
    pub(crate) samples: u64,
    /// When the device was at work.
    pub(crate) ended: Option<(Instant, Instant)>,
}

/// A buffer that grows.
struct Growing {
    buffer: BufferId,
    bytes: usize,
}

impl Growing {
    fn new(backend: &mut dyn Backend, bytes: usize) -> Result<Growing, DeviceError> {
        Ok(Growing { buffer: backend.alloc(bytes)?, bytes })
    }

    /// Makes room for this number of bytes. If the buffer grows, its contents are lost.
    fn at_least(&mut self, backend: &mut dyn Backend, bytes: usize) -> Result<BufferId, DeviceError> {
        if bytes > self.bytes {
            backend.free(self.buffer);
            let bytes = bytes.next_power_of_two();
            *self = Growing::new(backend, bytes)?;
        }
        Ok(self.buffer)
    }
}

/// Searches of one shape.
pub(crate) struct Group {
    pub(crate) shape: Shape,
    stream: Stream,
    /// When samples began to be made that were not looked at since.
    launched: Option<Instant>,
    kernels: KernelSet,
    layout: Layout,
    told_words: usize,
    search_bytes: usize,
    chunks: Vec<BufferId>,
    /// The address of each slot.
    slots: Vec<u64>,
    free: Vec<u32>,
    active: Vec<Option<Box<Active>>>,
    new: Vec<u32>,
    jobs: Vec<Job>,
    searches: Growing,
    jobs_buffer: Growing,
    told: Growing,
    starts: Growing,
    words: Growing,
    root_logs: BufferId,
    next_job: BufferId,
}

impl Group {
    pub(crate) fn new(
        backend: &mut dyn Backend,
        shape: Shape,
        n_words: usize,
        stream: Stream,
    ) -> Result<Group, DeviceError> {
        let kernels = backend.load(&shape.program)?;
        let told = Growing::new(backend, 4096)?;
        let next_job = backend.alloc(256)?;
        let logs: Vec<u8> = (0..=shape.most_samples(MOST_MOVES) + 1)
            .flat_map(|visits| tesuji_search::root_of_log(visits).to_le_bytes())
            .collect();
        let root_logs = backend.alloc(logs.len())?;
        backend.write(root_logs.at(0), &logs, stream)?;
        let params = Params { told: backend.address(told.buffer), ..Params::default() };
        let size = LaunchSize { grid: 1, block: 32 };
        backend.launch(kernels.kernel("describe").id, size, &params.bytes(), stream)?;
        let described = read_words(backend, told.buffer, 8, stream)?;
        let layout = Layout::new(&shape, &described, n_words);
        Ok(Group {
            stream,
            launched: None,
            kernels,
            layout,
            told_words: 4 + shape.told_words() * layout.most_moves,
            search_bytes: described[2] as usize,
            chunks: Vec::new(),
            slots: Vec::new(),
            free: Vec::new(),
            active: Vec::new(),
            new: Vec::new(),
            jobs: Vec::new(),
            searches: Growing::new(backend, 4096)?,
            jobs_buffer: Growing::new(backend, 4096)?,
            starts: Growing::new(backend, 4096)?,
            words: Growing::new(backend, 4096)?,
            told,
            root_logs,
            next_job,
            shape,
        })
    }

    pub(crate) fn stream(&self) -> Stream {
        self.stream
    }

    pub(crate) fn kernels(&self) -> &KernelSet {
        &self.kernels
    }

    /// Bytes of a slot, and of all slots.
    pub(crate) fn slot_bytes(&self) -> u64 {
        self.layout.bytes as u64
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.slots.len() as u64 * self.slot_bytes()
    }

    pub(crate) fn has_free_slot(&self) -> bool {
        !self.free.is_empty()
    }

    pub(crate) fn has_jobs(&self) -> bool {
        !self.jobs.is_empty()
    }

    pub(crate) fn is_idle(&self) -> bool {
        self.free.len() == self.slots.len()
    }

    /// Adds up to `wanted` slots, as far as they fit into `bytes`. Returns whether it added any.
    pub(crate) fn grow(
        &mut self,
        backend: &mut dyn Backend,
        bytes: u64,
        wanted: usize,
    ) -> Result<bool, DeviceError> {
        let n = (bytes / self.slot_bytes()).min(wanted as u64).min((4 << 30) / self.slot_bytes().min(4 << 30))
            as usize;
        if n == 0 {
            return Ok(false);
        }
        let chunk = backend.alloc(n * self.layout.bytes)?;
        self.chunks.push(chunk);
        let address = backend.address(chunk);
        for at in 0..n {
            self.free.push(self.slots.len() as u32);
            self.slots.push(address + (at * self.layout.bytes) as u64);
            self.active.push(None);
        }
        // The table of searches is rewritten as they begin: it must not lose those at work.
        let bytes = self.slots.len() * self.search_bytes;
        if bytes > self.searches.bytes {
            let mut old = vec![0; self.searches.bytes];
            backend.read(self.searches.buffer.at(0), &mut old, self.stream)?;
            self.searches.at_least(backend, bytes)?;
            backend.write(self.searches.buffer.at(0), &old, self.stream)?;
        }
        Ok(true)
    }

    /// Gives all memory back.
    pub(crate) fn release(self, backend: &mut dyn Backend) {
        let Group { chunks, searches, jobs_buffer, told, starts, words, root_logs, next_job, .. } = self;
        let small = [searches, jobs_buffer, told, starts, words].map(|growing| growing.buffer);
        for buffer in chunks.into_iter().chain(small).chain([root_logs, next_job]) {
            backend.free(buffer);
        }
    }

    /// Takes a search into a free slot. It is over at once if it wants no samples.
    pub(crate) fn admit(&mut self, id: SearchId, search: DeviceSearch) -> Option<(SearchId, Report)> {
        let mut host = HostHalf::begin(&search);
        let slot = *self.free.last().expect("the caller looked for a free slot");
        let open_jobs = want(&mut host, slot, &mut self.jobs);
        if open_jobs == 0 {
            return Some((id, host.report()));
        }
        self.free.pop();
        self.new.push(slot);
        self.active[slot as usize] = Some(Box::new(Active { id, search, host, open_jobs }));
        None
    }

    /// Takes all searches out, so that they can be made anew.
    pub(crate) fn take_all(&mut self) -> Vec<(SearchId, DeviceSearch)> {
        let all = self.active.iter_mut().filter_map(Option::take);
        let all = all.map(|active| (active.id, active.search)).collect();
        self.free = (0..self.slots.len() as u32).collect();
        self.new.clear();
        self.jobs.clear();
        all
    }

    fn params(&self, backend: &dyn Backend) -> Params {
        let layout = &self.layout;
        Params {
            searches: backend.address(self.searches.buffer),
            jobs: backend.address(self.jobs_buffer.buffer),
            next_job: backend.address(self.next_job),
            root_logs: backend.address(self.root_logs),
            slice: 0,
            told: backend.address(self.told.buffer),
            starts: backend.address(self.starts.buffer),
            start_words: backend.address(self.words.buffer),
            n_jobs: 0,
            most_nodes: layout.most_nodes as u32,
            index_size: layout.index_size as u32,
            most_units: layout.most_units as u32,
            words_offset: 0,
            arms_offset: layout.arms as u32,
            amaf_offset: layout.amaf as u32,
            nodes_offset: layout.nodes as u32,
            keys_offset: layout.keys as u32,
            ids_offset: layout.ids as u32,
            edges_offset: layout.edges as u32,
            told_words: self.told_words as u32,
            lanes: 32,
        }
    }

    /// Sends the searches that are new to the device.
    fn begin_new(&mut self, backend: &mut dyn Backend) -> Result<Vec<(SearchId, DeviceSearch)>, DeviceError> {
        let mut too_large = Vec::new();
        let new = std::mem::take(&mut self.new);
        let (mut starts, mut words) = (Vec::new(), Vec::<u8>::new());
        let mut n_starts = 0;
        for slot in new {
            let Some(active) = &self.active[slot as usize] else { continue };
            let search = &active.search;
            let encoded = search.sight.encoded().unwrap_or_default();
            if encoded.words.len() > self.layout.most_words {
                self.jobs.retain(|job| job.slot != slot);
                let active = self.active[slot as usize].take().expect("it is there");
                self.free.push(slot);
                too_large.push((active.id, active.search));
                continue;
            }
            n_starts += 1;
            starts.extend(start_bytes(
                search,
                slot,
                self.slots[slot as usize],
                words.len() / 4,
                encoded.words.len(),
            ));
            words.extend(encoded.words.iter().flat_map(|word| word.to_le_bytes()));
        }
        if n_starts == 0 {
            return Ok(too_large);
        }
        let buffer = self.starts.at_least(backend, starts.len())?;
        backend.write(buffer.at(0), &starts, self.stream)?;
        let buffer = self.words.at_least(backend, words.len())?;
        backend.write(buffer.at(0), &words, self.stream)?;
        let mut params = self.params(backend);
        params.n_jobs = n_starts;
        let wide = LaunchSize { grid: backend.multiprocessors() * 8, block: 256 };
        backend.launch(self.kernels.kernel("clear").id, wide, &params.bytes(), self.stream)?;
        let narrow = LaunchSize { grid: n_starts.div_ceil(32), block: 32 };
        backend.launch(self.kernels.kernel("begin").id, narrow, &params.bytes(), self.stream)?;
        Ok(too_large)
    }

    /// Begins to make samples for about `slice`, next to the other groups at work. Returns the
    /// searches that do not fit.
    pub(crate) fn launch(
        &mut self,
        backend: &mut dyn Backend,
        slice: Duration,
        n_groups: u32,
    ) -> Result<Vec<(SearchId, DeviceSearch)>, DeviceError> {
        let too_large = self.begin_new(backend)?;
        if self.jobs.is_empty() {
            return Ok(too_large);
        }
        let bytes: Vec<u8> = self.jobs.iter().flat_map(|job| job.bytes()).collect();
        let jobs_buffer = self.jobs_buffer.at_least(backend, bytes.len())?;
        backend.write(jobs_buffer.at(0), &bytes, self.stream)?;
        backend.fill_zero(self.next_job.at(0), 4, self.stream)?;
        let mut params = self.params(backend);
        (params.n_jobs, params.slice) = (self.jobs.len() as u32, slice.as_nanos() as u64);
        let kernel = self.kernels.kernel("simulate").id;
        let resident = backend.multiprocessors() * backend.resident_blocks(kernel, BLOCK).max(1);
        // Lanes of a warp that part wait for each other: jobs are spread over as many warps as
        // there is room for next to the other groups.
        const WARPS: u32 = BLOCK / 32;
        let room = (resident * WARPS / n_groups).max(1);
        params.lanes = params.n_jobs.div_ceil(room).clamp(1, 32);
        let grid = params.n_jobs.div_ceil(params.lanes * WARPS).min(resident);
        self.launched = Some(Instant::now());
        backend.launch(kernel, LaunchSize { grid, block: BLOCK }, &params.bytes(), self.stream)?;
        Ok(too_large)
    }

    /// Waits for the samples that are being made, and sees what is over.
    pub(crate) fn gather(&mut self, backend: &mut dyn Backend) -> Result<Cycle, DeviceError> {
        let mut cycle = Cycle::default();
        let Some(began) = self.launched.take() else { return Ok(cycle) };
        let mut bytes = vec![0; self.jobs.len() * 16];
        backend.read(self.jobs_buffer.buffer.at(0), &mut bytes, self.stream)?;
        cycle.ended = Some((began, Instant::now()));
        let mut finished = Vec::new();
        for (job, bytes) in self.jobs.iter_mut().zip(bytes.chunks_exact(16)) {
            let done = u32::from_le_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]);
            if !self.shape.looks_ahead() {
                cycle.samples += u64::from(done - job.done);
            }
            job.done = done;
            if done == job.samples {
                let active = self.active[job.slot as usize].as_mut().expect("jobs belong to searches");
                active.open_jobs -= 1;
                if active.open_jobs == 0 {
                    finished.push(Job { samples: 0, done: 0, ..*job });
                }
            }
        }
        self.jobs.retain(|job| job.done < job.samples);
        // Jobs that had no turn come first next time.
        self.jobs.sort_by_key(|job| job.done > 0);
        self.hear(backend, &finished, &mut cycle)?;
        Ok(cycle)
    }

    /// Tells the searches whose samples are made what came of them.
    fn hear(
        &mut self,
        backend: &mut dyn Backend,
        finished: &[Job],
        cycle: &mut Cycle,
    ) -> Result<(), DeviceError> {
        if finished.is_empty() {
            return Ok(());
        }
        let bytes: Vec<u8> = finished.iter().flat_map(|job| job.bytes()).collect();
        let buffer = self.jobs_buffer.at_least(backend, bytes.len())?;
        backend.write(buffer.at(0), &bytes, self.stream)?;
        let n_words = finished.len() * self.told_words;
        let told_buffer = self.told.at_least(backend, n_words * 4)?;
        let mut params = self.params(backend);
        params.n_jobs = finished.len() as u32;
        let size = LaunchSize { grid: params.n_jobs.div_ceil(32), block: 32 };
        backend.launch(self.kernels.kernel("collect").id, size, &params.bytes(), self.stream)?;
        let told = read_words(backend, told_buffer, n_words, self.stream)?;
        let move_words = self.shape.told_words();
        let mut heard: Vec<Heard> = Vec::with_capacity(finished.len());
        for (job, told) in finished.iter().zip(told.chunks_exact(self.told_words)) {
            let active = self.active[job.slot as usize].take().expect("jobs belong to searches");
            heard.push(Heard { slot: job.slot, active, told, move_words, jobs: Vec::new(), seen: 0 });
        }
        in_parallel(&mut heard, Heard::hear);
        for Heard { slot, active, told, jobs, seen, .. } in heard {
            // Samples ahead count when the policy sees them.
            if self.shape.looks_ahead() {
                cycle.samples += seen;
            }
            if told[0] != 0 {
                self.free.push(slot);
                cycle.too_large.push((active.id, active.search));
            } else if jobs.is_empty() {
                self.free.push(slot);
                cycle.reports.push((active.id, active.host.report()));
            } else {
                self.jobs.extend(jobs);
                self.active[slot as usize] = Some(active);
            }
        }
        Ok(())
    }
}

/// A search that is told what came of its samples.
struct Heard<'a> {
    slot: u32,
    active: Box<Active>,
    told: &'a [u32],
    /// The words of each move.
    move_words: usize,
    jobs: Vec<Job>,
    /// The samples that its policy saw of them.
    seen: u64,
}

impl Heard<'_> {
    fn hear(&mut self) {
        if self.told[0] != 0 {
            return;
        }
        let n_moves = self.told[3] as usize;
        let told: Vec<&[u32]> = self.told[4..].chunks_exact(self.move_words).take(n_moves).collect();
        match self.move_words {
            SUMS_OF_MOVE => self.active.host.record(&move_samples(&told, &self.active.search.config.leaf)),
            _ => self.active.host.record_outcomes(|arm, place| {
                let word = told[arm][SUMS_OF_MOVE + place / OUTCOMES_OF_WORD];
                (word >> (2 * (place % OUTCOMES_OF_WORD)) & 3) as u8
            }),
        }
        let seen = self.active.host.seen();
        self.active.open_jobs = want(&mut self.active.host, self.slot, &mut self.jobs);
        self.seen = self.active.host.seen() - seen;
    }
}

/// The sums that the device told of each move.
fn move_samples(told: &[&[u32]], leaf: &LeafConfig) -> Vec<MoveSamples> {
    // Leaves with several playouts make rewards fractions: `Sum` of the kernels.
    let reward: fn(u32) -> f64 = match leaf {
        LeafConfig::Playout | LeafConfig::Net { .. } => |halves| 0.5 * f64::from(halves),
        LeafConfig::Prior { .. } => |bits| f64::from(f32::from_bits(bits)),
    };
    let of_move = |told: &&[u32]| MoveSamples {
        visits: told[0],
        sum: reward(told[1]),
        draws: told[2],
        amaf_visits: told[3],
        amaf_sum: reward(told[4]),
    };
    told.iter().map(of_move).collect()
}

/// Does something to all items, on several threads if they are many.
fn in_parallel<T: Send>(items: &mut [T], work: impl Fn(&mut T) + Sync) {
    const WORTH_A_THREAD: usize = 64;
    let threads =
        std::thread::available_parallelism().map_or(1, usize::from).min(items.len() / WORTH_A_THREAD);
    if threads < 2 {
        items.iter_mut().for_each(work);
        return;
    }
    let part = items.len().div_ceil(threads);
    std::thread::scope(|scope| {
        for items in items.chunks_mut(part) {
            scope.spawn(|| items.iter_mut().for_each(&work));
        }
    });
}

/// Adds the jobs that a search wants next, and returns their number.
fn want(host: &mut HostHalf, slot: u32, jobs: &mut Vec<Job>) -> u32 {
    let before = jobs.len();
    match host.wanted() {
        Wanted::Nothing => {}
        Wanted::OfTree(samples) => jobs.push(Job { slot, arm: TREE_ROOT, samples: samples as u32, done: 0 }),
        Wanted::OfArms(pulls) => jobs.extend(pulls.iter().filter(|pull| pull.samples > 0).map(|pull| Job {
            slot,
            arm: pull.arm as u32,
            samples: pull.samples as u32,
            done: 0,
        })),
    }
    (jobs.len() - before) as u32
}

impl Job {
    fn bytes(&self) -> impl Iterator<Item = u8> {
        [self.slot, self.arm, self.samples, self.done].into_iter().flat_map(u32::to_le_bytes)
    }
}

fn read_words(
    backend: &mut dyn Backend,
    buffer: BufferId,
    n: usize,
    stream: Stream,
) -> Result<Vec<u32>, DeviceError> {
    let mut bytes = vec![0; n * 4];
    backend.read(buffer.at(0), &mut bytes, stream)?;
    Ok(bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect())
}

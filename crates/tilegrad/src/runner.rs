//! Running programs over many tiles on several threads.

use std::sync::{Mutex, PoisonError};

use bytemuck::Zeroable;

use crate::element::Element;
use crate::graph::VarId;
use crate::layout::Layout;
use crate::noise::Noise;
use crate::params::Params;
use crate::pool::Pool;
use crate::program::Program;
use crate::run::{Run, Shared, Workspace};
use crate::simd::Path;
use crate::tile::Tile;

/// Groups of tiles whose gradients are summed up together. The number is fixed, so that sums are the
/// same whatever the number of threads.
const GROUPS: usize = 16;

/// Which random numbers a run draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoiseKey {
    /// The run's seed.
    pub seed: u64,
    /// Step of the run: every step has numbers of its own.
    pub step: u64,
}

/// Values of one tile after its forward run.
pub struct Values<'a, T: Element> {
    run: &'a Run<'a, T>,
}

impl<T: Element> Values<'_, T> {
    /// The numbers of an output, row by row; in a row one number per word, or all words' numbers of
    /// particle 0, then of particle 1, and so on. Lanes beyond the tile's active words mean nothing.
    ///
    /// # Panics
    /// If the program was compiled without this output: the space may hold other numbers by now.
    #[track_caller]
    pub fn get(&self, var: VarId) -> &[T] {
        assert!(self.run.program().is_output(var), "the variable is not an output of the program");
        self.run.numbers(var)
    }
}

/// A thread of a [`Runner`] while it works on an item.
pub struct Worker<'a, T: Element> {
    params: &'a [T],
    layout: &'a Layout,
    programs: &'a [Program<T>],
    workspace: &'a mut Workspace<T::Chunk>,
    path: Path,
}

impl<T: Element> Worker<'_, T> {
    /// The programs, in the order of their numbers.
    pub fn programs(&self) -> &[Program<T>] {
        self.programs
    }

    /// Runs one tile forward and returns what `read` makes of its values.
    pub fn forward<R>(&mut self, tile: &Tile<T>, key: NoiseKey, read: impl FnOnce(Values<'_, T>) -> R) -> R {
        let shared = shared(self.params, self.layout, key, self.path);
        let program = (tile.program, &self.programs[tile.program]);
        let mut nothing = Vec::new();
        let mut run = Run::new(program, self.workspace, shared, tile, &mut nothing);
        run.forward();
        read(Values { run: &run })
    }
}

/// Threads and space for running the programs of one model.
///
/// Results depend on the tiles and their order, never on the number of threads.
pub struct Runner<T: Element> {
    pool: Pool,
    workspaces: Vec<Mutex<Workspace<T::Chunk>>>,
    /// Gradient of each group of tiles, and its loss.
    groups: Vec<Mutex<(Vec<T::Chunk>, f64)>>,
    /// The finished groups' gradients, while they are added up.
    parts: Vec<Vec<T::Chunk>>,
    programs: Vec<Program<T>>,
    layout: Layout,
    path: Path,
}

impl<T: Element> Runner<T> {
    /// A runner for `programs` over the parameters `params`, on `threads` threads.
    ///
    /// # Errors
    /// When the system refuses a thread.
    ///
    /// # Panics
    /// If a program was recorded over another set of parameters.
    pub fn new(params: &Params, programs: Vec<Program<T>>, threads: usize) -> std::io::Result<Self> {
        let own = programs.iter().all(|program| program.params == params.id());
        assert!(own, "a program belongs to another set of parameters");
        let layout = Layout::new::<T>(params);
        let pool = Pool::new(threads)?;
        let workspaces = (0..pool.workers()).map(|_| Mutex::new(Workspace::new(&programs))).collect();
        Ok(Self {
            workspaces,
            pool,
            groups: Vec::new(),
            parts: Vec::new(),
            programs,
            layout,
            path: Path::current(),
        })
    }

    /// The same runner on another path than the [current](Path::current) one. Double precision has only one.
    #[must_use]
    pub fn on_path(self, path: Path) -> Self {
        Self { path, ..self }
    }

    /// The programs, in the order of their numbers.
    pub fn programs(&self) -> &[Program<T>] {
        &self.programs
    }

    /// Runs all tiles forward; returns what `read` makes of each one's number and values, in the order of the tiles.
    ///
    /// # Panics
    /// If `params` has not the length of the parameter set.
    pub fn forward<R: Send>(
        &mut self,
        params: &[T],
        tiles: &[Tile<T>],
        key: NoiseKey,
        read: impl Fn(usize, Values<'_, T>) -> R + Sync,
    ) -> Vec<R> {
        self.map(params, tiles.iter().enumerate(), |(number, tile), worker| {
            worker.forward(tile, key, |values| read(number, values))
        })
    }

    /// Calls `work` for every item, on any thread; returns the results in the order of the items. It gets a
    /// [`Worker`] with which it can run tiles one after the other, each with what the one before it gave.
    ///
    /// # Panics
    /// If `params` has not the length of the parameter set.
    pub fn map<I: Send, R: Send>(
        &mut self,
        params: &[T],
        items: impl IntoIterator<Item = I>,
        work: impl Fn(I, &mut Worker<'_, T>) -> R + Sync,
    ) -> Vec<R> {
        self.check(params);
        let (layout, workspaces, programs, path) =
            (&self.layout, &self.workspaces, &self.programs, self.path);
        // An item's place holds the item, then its result. Its lock is never contended.
        let places: Vec<_> = items.into_iter().map(|item| Mutex::new((Some(item), None))).collect();
        self.pool.run(places.len(), &|worker, number| {
            let workspace = &mut lock(&workspaces[worker]);
            let (item, result) = &mut *lock(&places[number]);
            *result =
                item.take().map(|item| work(item, &mut Worker { params, layout, programs, workspace, path }));
        });
        let results =
            places.into_iter().map(|place| place.into_inner().unwrap_or_else(PoisonError::into_inner));
        results.filter_map(|(_, result)| result).collect()
    }

    /// Computes the weighted sum of the losses of all tiles' words, and its gradient.
    ///
    /// # Panics
    /// If `params` or `gradient` has not the length of the parameter set, or a tile's program has no loss.
    pub fn gradient(&mut self, params: &[T], tiles: &[Tile<T>], key: NoiseKey, gradient: &mut [T]) -> f64 {
        self.check(params);
        self.check(gradient);
        let has_loss = |tile: &Tile<T>| self.programs[tile.program].loss.is_some();
        assert!(tiles.iter().all(has_loss), "a tile's program was compiled without a loss");
        let groups = tiles.len().min(GROUPS);
        if groups == 0 {
            gradient.fill(T::default());
            return 0.0;
        }
        let vectors = self.layout.vectors;
        while self.groups.len() < groups {
            self.groups.push(Mutex::new((vec![T::Chunk::zeroed(); vectors], 0.0)));
            self.parts.push(Vec::new());
        }
        let (layout, workspaces, programs) = (&self.layout, &self.workspaces, &self.programs);
        let sums = &self.groups;
        let shared = shared(params, layout, key, self.path);
        self.pool.run(groups, &|worker, group| {
            let mut workspace = lock(&workspaces[worker]);
            let mut sum = lock(&sums[group]);
            let (sum, loss) = &mut *sum;
            sum.fill(T::Chunk::zeroed());
            *loss = 0.0;
            for tile in &tiles[group * tiles.len() / groups..(group + 1) * tiles.len() / groups] {
                let program = (tile.program, &programs[tile.program]);
                let mut run = Run::new(program, &mut workspace, shared, tile, sum);
                run.forward();
                *loss += run.backward();
            }
        });
        let mut loss = 0.0;
        for (group, part) in self.groups[..groups].iter_mut().zip(&mut self.parts) {
            let (sum, own) = group.get_mut().unwrap_or_else(PoisonError::into_inner);
            loss += *own;
            std::mem::swap(sum, part);
        }
        self.layout.sum(&self.parts[..groups], gradient, self.path);
        for (group, part) in self.groups[..groups].iter_mut().zip(&mut self.parts) {
            let (sum, _) = group.get_mut().unwrap_or_else(PoisonError::into_inner);
            std::mem::swap(sum, part);
        }
        loss
    }

    #[track_caller]
    fn check(&self, numbers: &[T]) {
        let expected = self.layout.numbers();
        assert_eq!(numbers.len(), expected, "the parameter set has {expected} numbers");
    }
}

fn shared<'a, T: Element>(params: &'a [T], layout: &'a Layout, key: NoiseKey, path: Path) -> Shared<'a, T> {
    Shared { params, layout, noise: Noise::new(key.seed), step: key.step, path }
}

fn lock<X>(mutex: &Mutex<X>) -> std::sync::MutexGuard<'_, X> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

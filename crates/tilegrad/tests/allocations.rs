//! A training step allocates nothing once everything has been used for the first time.

mod all {
    pub(crate) mod common;
}

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use all::common::reference::{FEATURES, Reference, SYMBOLS, Sizes};
use all::common::{KEY, Setup, normal, particles::ParticleStates};
use tilegrad::optim::{Adam, AdamSettings, Average, clip_global_norm};

static ALLOCATIONS: AtomicUsize = AtomicUsize::new(0);

struct Counting;

// SAFETY: every call is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: as the caller has promised.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller has promised.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Allocations of five training steps after the first.
fn allocations_of_steps(setup: Setup<f32>) -> usize {
    let Setup { mut runner, mut flat, mut tiles, .. } = setup;
    let mut gradient = vec![0.0; flat.len()];
    let mut adam = Adam::new(AdamSettings::default(), flat.len()).unwrap();
    let mut average = Average::new(0.99, flat.len()).unwrap();
    let mut count = 0;
    for step in 0..6 {
        let before = ALLOCATIONS.load(Ordering::Relaxed);
        for tile in &mut tiles {
            tile.symbol_row_mut(0).rotate_left(1);
            tile.set_active(tile.active());
        }
        runner.gradient(&flat, &tiles, KEY, &mut gradient);
        clip_global_norm(&mut gradient, 1.0).unwrap();
        adam.step(&mut flat, &gradient, 1e-3).unwrap();
        average.update(&flat).unwrap();
        let step_alone = ALLOCATIONS.load(Ordering::Relaxed) - before;
        // The list of results is allocated, what runs on the threads allocates nothing.
        let forward = runner.map(&flat, &tiles, |tile, worker| {
            let before = ALLOCATIONS.load(Ordering::Relaxed);
            worker.forward(tile, KEY, |_| {});
            ALLOCATIONS.load(Ordering::Relaxed) - before
        });
        if step > 0 {
            count += step_alone + forward.iter().sum::<usize>();
        }
    }
    count
}

fn reference(threads: usize) -> Setup<f32> {
    let sizes = Sizes { state: 4, hidden: 16, steps: 3, particles: 5 };
    let model = Reference::<f32>::new(sizes, 8);
    let flat = (0..model.params.len()).map(|i| 0.3 * normal::<f32>(0, 0, i)).collect();
    let tiles = model.tiles(
        150,
        |t, word| (0..FEATURES).map(|i| normal(1, t * 1000 + word, i)).collect(),
        |which, t, word| (0..20).map(|i| normal(2 + which, t * 1000 + word, i)).collect(),
        |t, word| ((t + word) % SYMBOLS) as u32,
    );
    Setup::new(model.params, model.programs, flat, tiles, threads)
}

// One test only: another one's allocations would be counted too.
#[test]
fn steps_after_the_first_allocate_nothing() {
    assert!(ALLOCATIONS.load(Ordering::Relaxed) > 0, "allocations are counted");
    for threads in [1, 3] {
        assert_eq!(allocations_of_steps(reference(threads)), 0, "{threads} threads");
        let particles = ParticleStates::new(4).setup(150, threads);
        assert_eq!(allocations_of_steps(particles), 0, "{threads} threads, with noise and resampling");
    }
}

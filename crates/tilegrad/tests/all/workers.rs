//! A worker runs tiles one after the other, each with what the one before it gave.

use tilegrad::{Graph, Lanes, NoiseKey, Params, Runner, Tile};

/// Ten steps of `x ← x + 1 + noise` by one worker, the same as recorded ten times over.
#[test]
fn steps_one_by_one_come_to_the_same_as_all_at_once() {
    const STEPS: u16 = 10;
    let params = Params::new();
    let record = |steps: u16| {
        let graph = Graph::new(&params, 1);
        let start = graph.data(2, Lanes::Word);
        let mut state = start;
        for _ in 0..steps {
            state = (state + graph.normal(0, 2, Lanes::Word)).scale(1.0, 1.0);
        }
        let program = graph.compile::<f32>(8, None, &[state]).expect("a program");
        (program, start.id(), state.id())
    };
    for threads in [1, 3] {
        let ((one, start, end), (all, all_start, all_end)) = (record(1), record(STEPS));
        let mut runner = Runner::new(&params, vec![one, all], threads).expect("threads");
        let found = runner.map(&[], 0..5, |item, worker| {
            let key = NoiseKey { seed: 1, step: item as u64 };
            let mut tile = Tile::new(worker.programs(), 0);
            tile.data_mut(&worker.programs()[0], start).fill(item as f32);
            for _ in 0..STEPS {
                let next = worker.forward(&tile, key, |values| values.get(end).to_vec());
                tile.data_mut(&worker.programs()[0], start).copy_from_slice(&next);
            }
            let step_by_step = tile.data_mut(&worker.programs()[0], start).to_vec();
            let mut tile = Tile::new(worker.programs(), 1);
            tile.data_mut(&worker.programs()[1], all_start).fill(item as f32);
            let at_once = worker.forward(&tile, key, |values| values.get(all_end).to_vec());
            (item, step_by_step, at_once)
        });
        assert_eq!(found.iter().map(|found| found.0).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        for (item, step_by_step, at_once) in found {
            assert_eq!(step_by_step, at_once);
            assert!(step_by_step.iter().all(|&x| (x - item as f32).is_finite() && x != item as f32));
        }
    }
}

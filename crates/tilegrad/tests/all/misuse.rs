//! Mistakes in recording are reported when the graph is compiled: where they were made, and with both
//! shapes.

use tilegrad::{Activation, Graph, GraphError, Lanes, Param, Params, Triangle, Var};

const IDENTITY: Activation = Activation::Identity;

/// A graph with variables of its own, and another with the same.
struct Recording<'g> {
    graph: &'g Graph,
    /// 2 × word, 3 × word, 3 × particle, 1 × particle.
    two: Var<'g>,
    three: Var<'g>,
    particles: Var<'g>,
    weights: Var<'g>,
    foreign: Var<'g>,
    other: &'g Graph,
    matrix: Param,
    table: Param,
    foreign_param: Param,
}

/// Records a mistake; `record` returns the line it is made on.
fn error_of(record: impl FnOnce(&Recording<'_>) -> u32) -> (GraphError, u32) {
    let (mut params, mut others) = (Params::new(), Params::new());
    let matrix = params.matrix("matrix", 4, 2);
    let table = params.table("table", 4, 2);
    let foreign_param = others.matrix("matrix", 4, 2);
    let graph = Graph::new(&params, 3);
    let other = Graph::new(&params, 3);
    // Foreign variables have numbers that this graph does not know.
    let foreign = (0..100).fold(other.data(2, Lanes::Word), |x, _| x.tanh());
    let recording = Recording {
        graph: &graph,
        two: graph.data(2, Lanes::Word),
        three: graph.data(3, Lanes::Word),
        particles: graph.data(3, Lanes::Particle),
        weights: graph.data(1, Lanes::Particle),
        foreign,
        other: &other,
        matrix,
        table,
        foreign_param,
    };
    let line = record(&recording);
    // Whatever follows a mistake does not hide it.
    let after = recording.two.tanh().sum_rows();
    let error = graph.compile::<f32>(8, Some(after), &[]).expect_err("a mistake was recorded");
    (error, line)
}

/// Asserts that the error names the operation, this file and the line, and all of `parts`.
fn refused(operation: &str, parts: &[&str], record: impl FnOnce(&Recording<'_>) -> u32) {
    let (error, line) = error_of(record);
    let text = error.to_string();
    let place = format!("misuse.rs:{line}:");
    for part in parts.iter().copied().chain([operation, &place]) {
        assert!(text.contains(part), "`{part}` is missing in: {text}");
    }
    assert_eq!(error.operation, operation);
}

#[test]
fn shapes_that_do_not_match() {
    refused("add", &["2 × word", "3 × particle"], |r| {
        let _ = r.two + r.particles;
        line!() - 1
    });
    refused("subtract", &["2 × word", "3 × word"], |r| {
        let _ = r.two - r.three;
        line!() - 1
    });
    refused("multiply", &["3 × word", "2 × word"], |r| {
        let _ = r.three * r.two;
        line!() - 1
    });
    refused("divide", &["1 × particle", "3 × particle"], |r| {
        let _ = r.weights / r.particles;
        line!() - 1
    });
    refused("affine", &["4×2", "3 × word"], |r| {
        r.graph.affine(&[(r.matrix, r.three)], None, IDENTITY);
        line!() - 1
    });
    refused("affine", &["4×2", "4 rows"], |r| {
        r.graph.affine(&[(r.matrix, r.two)], Some(r.matrix), IDENTITY);
        line!() - 1
    });
    refused("affine", &["no input"], |r| {
        r.graph.affine(&[], None, IDENTITY);
        line!() - 1
    });
    refused("slice", &["1..4", "3 × word"], |r| {
        r.three.slice(1..4);
        line!() - 1
    });
    refused("slice", &["2..2", "3 × word"], |r| {
        r.three.slice(2..2);
        line!() - 1
    });
    refused("concat", &["3 × word", "3 × particle"], |r| {
        r.graph.concat(&[r.three, r.particles]);
        line!() - 1
    });
    refused("concat", &["nothing to join"], |r| {
        r.graph.concat(&[]);
        line!() - 1
    });
    refused("normal log-density", &["3 × particle", "2 × word", "3 × word"], |r| {
        r.particles.normal_log_density(r.two, r.three);
        line!() - 1
    });
    refused("broadcast", &["4×2"], |r| {
        r.graph.broadcast(r.matrix);
        line!() - 1
    });
    refused("data", &["at least one row"], |r| {
        r.graph.data(0, Lanes::Word);
        line!() - 1
    });
    refused("noise", &["0 rows"], |r| {
        r.graph.normal(0, 0, Lanes::Word);
        line!() - 1
    });
}

#[test]
fn lanes_that_do_not_fit() {
    refused("expand", &["3 × particle", "3 × word"], |r| {
        r.particles.expand();
        line!() - 1
    });
    refused("sum over particles", &["3 × word", "3 × particle"], |r| {
        r.three.sum_particles();
        line!() - 1
    });
    refused("log-sum-exp", &["3 × word", "3 × particle"], |r| {
        r.three.log_sum_exp();
        line!() - 1
    });
}

#[test]
fn triangles_that_do_not_fit() {
    refused("triangle", &["2 × word", "3 × word"], |r| {
        Triangle::new(Some(r.two), r.three);
        line!() - 1
    });
    refused("triangle", &["3 × particle", "3 × word"], |r| {
        Triangle::new(Some(r.particles), r.three);
        line!() - 1
    });
    refused("data", &["at least one row"], |r| {
        let empty = r.graph.data(0, Lanes::Word);
        let _ = Triangle::new(Some(r.three), empty).product(r.three, None);
        line!() - 2
    });
    refused("triangular product", &["3×3", "3 × word", "2 × word"], |r| {
        Triangle::new(None, r.three).product(r.two, None);
        line!() - 1
    });
    refused("triangular solve", &["3×3", "3 × word", "2 × word"], |r| {
        Triangle::new(None, r.three).solve(r.particles, Some(r.two));
        line!() - 1
    });
}

#[test]
fn choices_that_do_not_fit() {
    refused("choose", &["3 × particle", "1 × particle"], |r| {
        r.particles.choose(r.two);
        line!() - 1
    });
    refused("choose", &["1 × particle", "2 × word", "1 × word"], |r| {
        r.weights.choose(r.two);
        line!() - 1
    });
    refused("choose largest", &["3 × word", "1 × particle"], |r| {
        r.three.choose_largest();
        line!() - 1
    });
    refused("effective sample size", &["2 × word", "1 × particle"], |r| {
        r.two.enough_particles(0.5);
        line!() - 1
    });
    refused("ancestors", &["1 × particle", "1 × word"], |r| {
        r.weights.ancestors(r.graph.uniform(0, 1, Lanes::Word), r.weights);
        line!() - 1
    });
    refused("gather", &["3 × word", "1 × particle"], |r| {
        r.three.gather(r.weights);
        line!() - 1
    });
    refused("gather", &["3 × particle", "2 × word"], |r| {
        r.particles.gather(r.two);
        line!() - 1
    });
    refused("select", &["2 × word", "3 × word", "1 × particle"], |r| {
        r.weights.select(r.two, r.three);
        line!() - 1
    });
    refused("select", &["3 × word", "1 × particle"], |r| {
        r.weights.select(r.three, r.three);
        line!() - 1
    });
}

#[test]
fn variables_of_another_graph() {
    let another = &["2 × word", "another graph"];
    refused("add", another, |r| {
        let _ = r.two + r.foreign;
        line!() - 1
    });
    refused("affine", another, |r| {
        r.graph.affine(&[(r.matrix, r.foreign)], None, IDENTITY);
        line!() - 1
    });
    refused("concat", another, |r| {
        r.graph.concat(&[r.two, r.foreign]);
        line!() - 1
    });
    refused("triangle", another, |r| {
        Triangle::new(Some(r.foreign), r.three).product(r.three, None);
        line!() - 1
    });
    refused("triangular product", another, |r| {
        Triangle::new(None, r.two).product(r.foreign, None);
        line!() - 1
    });
    refused("triangular solve", another, |r| {
        Triangle::new(None, r.two).solve(r.two, Some(r.foreign));
        line!() - 1
    });
    refused("normal log-density", another, |r| {
        r.two.normal_log_density(r.two, r.foreign);
        line!() - 1
    });
    refused("choose", another, |r| {
        r.weights.choose(r.foreign);
        line!() - 1
    });
    refused("gather", another, |r| {
        r.particles.gather(r.foreign);
        line!() - 1
    });
    refused("select", another, |r| {
        r.weights.select(r.particles, r.foreign);
        line!() - 1
    });
    refused("embedding", &["symbols", "another graph"], |r| {
        r.graph.embedding(r.table, r.other.symbols());
        line!() - 1
    });
    refused("log-softmax", &["symbols", "another graph"], |r| {
        r.two.log_softmax_pick(r.other.symbols());
        line!() - 1
    });
}

#[test]
fn parameters_of_another_set() {
    let another = &["4×2", "another set"];
    refused("affine", another, |r| {
        r.graph.affine(&[(r.foreign_param, r.two)], None, IDENTITY);
        line!() - 1
    });
    refused("affine", another, |r| {
        r.graph.affine(&[(r.matrix, r.two)], Some(r.foreign_param), IDENTITY);
        line!() - 1
    });
    refused("embedding", another, |r| {
        r.graph.embedding(r.foreign_param, r.graph.symbols());
        line!() - 1
    });
    refused("broadcast", another, |r| {
        r.graph.broadcast(r.foreign_param);
        line!() - 1
    });
}

#[test]
fn only_tables_have_rows_to_look_up() {
    refused("embedding", &["4×2", "no table"], |r| {
        r.graph.embedding(r.matrix, r.graph.symbols());
        line!() - 1
    });
}

#[test]
fn the_first_mistake_is_the_one_reported() {
    refused("add", &["2 × word", "3 × word"], |r| {
        let line = line!() + 1;
        let sum = r.two + r.three;
        sum.sum_particles().slice(7..9).choose_largest();
        line
    });
}

/// What compiling reports, with the line of the call.
fn compile(graph: &Graph, words: usize, loss: Option<Var<'_>>, outputs: &[Var<'_>]) -> (String, u32) {
    let error = graph.compile::<f32>(words, loss, outputs).expect_err("a mistake");
    (error.to_string(), line!() - 1)
}

#[test]
fn programs_that_make_no_sense() {
    let params = Params::new();
    let (graph, other) = (Graph::new(&params, 2), Graph::new(&params, 2));
    let x = graph.data(2, Lanes::Particle);
    let foreign = other.data(1, Lanes::Word);
    let cases = [
        (compile(&graph, 8, None, &[]), vec!["empty", "neither a loss nor an output"]),
        (compile(&graph, 8, Some(x), &[]), vec!["2 × particle", "1 × word"]),
        (compile(&graph, 8, Some(x.sum_rows()), &[]), vec!["1 × particle", "1 × word"]),
        (compile(&graph, 8, Some(foreign), &[]), vec!["1 × word", "another graph"]),
        (compile(&graph, 8, None, &[foreign]), vec!["1 × word", "another graph"]),
        (compile(&graph, 12, None, &[x]), vec!["12", "multiple of 8"]),
        (compile(&graph, 0, None, &[x]), vec!["0", "multiple of 8"]),
    ];
    for ((text, line), parts) in cases {
        let place = format!("misuse.rs:{line}:");
        for part in parts.into_iter().chain(["compile", &place]) {
            assert!(text.contains(part), "`{part}` is missing in: {text}");
        }
    }
}

"""Samples words from a recurrent language model of `wug train --preset gru-8d` with PyTorch.

    python sample_torch.py MODEL.safetensors VARIANT BATCH THREADS

Prints READY, and then, for every number of words that is typed, the seconds that it took to make them and write them out.
All forms keep the input's part of the gates in a table (one row for each symbol), draw symbols by the inverse of the
cumulative distribution, and go on with unfinished words only; `eager-cell` uses the library's own cell instead of the table,
`compile` compiles the step.
"""
import json
import struct
import sys
import time

import numpy as np
import torch

LONGEST = 100


def read(path):
    content = open(path, "rb").read()
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    data = memoryview(content)[8 + length :]
    letters = json.loads(header.pop("__metadata__")["alphabet"])
    tensors = {}
    for name, info in header.items():
        first, end = info["data_offsets"]
        array = np.frombuffer(data[first:end], np.float32).reshape(info["shape"])
        tensors[name.removeprefix("baseline.")] = torch.from_numpy(array.copy())
    return letters, tensors


class Model:
    def __init__(self, tensors, variant):
        t = tensors
        self.start = t["gru.start"]
        size = len(self.start)
        weight_input = torch.cat([t["gru.gates.input"], t["gru.candidate.input"]])
        bias_input = torch.cat([t["gru.gates.bias"], t["gru.candidate.bias"]])
        weight_state = torch.cat([t["gru.gates.state"], t["gru.candidate.state"]])
        bias_state = torch.cat([torch.zeros(2 * size), t["gru.candidate.state_bias"]])
        weight_out, bias_out = t["emission.weight"].T.contiguous(), t["emission.bias"]
        if variant == "eager-cell":
            cell = torch.nn.GRUCell(weight_input.shape[1], size)
            cell.weight_ih.data, cell.bias_ih.data = weight_input, bias_input
            cell.weight_hh.data, cell.bias_hh.data = weight_state, bias_state
            embedding = t["embedding"]
            advance = lambda previous, state: cell(embedding[previous], state)
        else:
            table = t["embedding"] @ weight_input.T + bias_input
            weight_state = weight_state.T.contiguous()

            def advance(previous, state):
                given, past = table[previous], torch.addmm(bias_state, state, weight_state)
                reset, update = torch.sigmoid(given[:, : 2 * size] + past[:, : 2 * size]).chunk(2, 1)
                candidate = torch.tanh(given[:, 2 * size :] + reset * past[:, 2 * size :])
                return candidate + update * (state - candidate)

        def step(previous, state, uniform):
            state = advance(previous, state)
            sums = torch.addmm(bias_out, state, weight_out).softmax(1).cumsum(1)
            symbol = (sums < uniform * sums[:, -1:]).sum(1)
            return symbol, state

        self.step = torch.compile(step, dynamic=True) if variant == "compile" else step

    @torch.no_grad()
    def words(self, count):
        """Symbols of words with zeros after their ends."""
        found = np.zeros((count, LONGEST + 1), np.uint8)
        alive = torch.arange(count)
        previous, state = torch.zeros(count, dtype=torch.long), self.start.expand(count, -1).contiguous()
        for position in range(LONGEST):
            symbol, state = self.step(previous, state, torch.rand(len(alive), 1))
            found[alive.numpy(), position] = symbol.numpy()
            going = symbol != 0
            if not going.any():
                break
            alive, previous, state = alive[going], symbol[going], state[going]
        return found


def main():
    path, variant, batch, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    torch.set_num_threads(threads)
    letters, tensors = read(path)
    model = Model(tensors, variant)
    codes = np.array([ord("\n")] + [ord(letter) for letter in letters], np.uint8)
    sink = open("/dev/null", "wb")

    def make(count):
        letters_written = 0
        while count > 0:
            found = model.words(min(batch, count))
            # Each word's letters and the zero after them, which is the end of the line.
            shown = np.arange(LONGEST + 1) <= (found != 0).sum(1, keepdims=True)
            text = codes[found[shown]]
            letters_written += len(text)
            sink.write(text.tobytes())
            count -= batch
        return letters_written

    words = 2 * batch
    print(f"READY length={make(words) / words - 1:.3f}", flush=True)
    for line in sys.stdin:
        start = time.perf_counter()
        make(int(line))
        print(time.perf_counter() - start, flush=True)


main()

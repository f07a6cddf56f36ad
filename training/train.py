"""Fine-tune the writer: packed rows, loss on the form alone, a schedule by time, quantisation in the last part.

    python -m training.train --data all.jsonl --base base.safetensors --tokenizer tokenizer.json --out DIR --minutes 18

`--data` holds one group a line: {"source", "schema", "pairs": [[question, [word, …]], …]} as rendered by prepare.py; a pair
with a third item, whether its form is right, teaches the word that tells so (`VERDICTS`) and not the form.
Groups whose source begins with `held` are only measured on. With --steps, the same data and seed give the same
batches, so that a run repeats within the noise of the arithmetic; with --minutes it stops at the clock.
"""

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import queue
import random
import re
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

from inquery.llm.embedded.decode import VERDICTS
from training.base import CONFIG, load_parts
from training.export import load_parts as load_exported
from training.export import restore_state
from training.files import open_text
from training.model import Config, SmolLM, block_mask, row_mask
from training.packing import Array, Group, Rows, Stream, pack

QAT_BLOCK = 32
AVERAGE_EVERY, AVERAGE_FROM = 10, 0.5
START, END = "<|im_start|>", "<|im_end|>"
_TOKENIZER: Tokenizer


def form_ids(tokenizer: Tokenizer, words: list[str], end: int) -> list[int]:
    """Token ids of a form: each word on its own with a space before, as the decoder writes it."""
    ids: list[int] = []
    for word in words:
        ids += tokenizer.encode(" " + word, add_special_tokens=False).ids
    return [*ids, end]


def encoded(text: str) -> Array:
    """Token ids of a part of the prompt."""
    return np.array(_TOKENIZER.encode(text, add_special_tokens=False).ids, np.int32)


def read_group(line: str) -> Group:
    """One line of the data as token ids."""
    item = json.loads(line)
    start, end = _TOKENIZER.token_to_id(START), _TOKENIZER.token_to_id(END)
    if start is None or end is None:
        raise SystemExit(f"the tokenizer has no {START} or {END}")
    pairs = []
    for question, words, *right in item["pairs"]:
        asked, form = encoded(question), np.array(form_ids(_TOKENIZER, words, end), np.int32)
        # A form that a model wrote is read, not learned: what is learned is the one word about it.
        pairs.append((np.concatenate((asked, form)), encoded(" " + VERDICTS[right[0]])) if right else (asked, form))
    return Group(item["source"], np.concatenate((np.array([start], np.int32), encoded(item["schema"]))), pairs)


def _use_tokenizer(path: str) -> None:
    global _TOKENIZER
    _TOKENIZER = Tokenizer.from_file(path)


def read_groups(path: Path, tokenizer: str, workers: int, *, start: str | None = None) -> list[Group]:
    """All groups in the order of the file, tokenised in parallel by processes that begin by `start`."""
    with open_text(path) as lines:
        if workers <= 1:
            _use_tokenizer(tokenizer)
            return [read_group(line) for line in lines]
        with multiprocessing.get_context(start).Pool(workers, _use_tokenizer, (tokenizer,)) as pool:
            return list(pool.imap(read_group, lines, chunksize=32))


def mix(progress: float, stages: list[tuple[float, dict[str, float]]]) -> dict[str, float]:
    """The sources' weights at this point of the run."""
    for end, weights in stages:
        if progress <= end:
            return weights
    return stages[-1][1]


def later_groups(args: argparse.Namespace, found: queue.Queue[list[Group]]) -> None:
    """Put what the files `--more` hold into `found`, each once it is there: training need not wait for all of its data."""
    for path in args.more:
        while not path.exists():
            time.sleep(2)
        # Not by fork: this process holds an accelerator and threads by now.
        more = read_groups(path, str(args.tokenizer), args.workers, start="spawn")
        found.put([group for group in more if not group.source.startswith("held")])


def batches(groups: list[Group], args: argparse.Namespace, progress: list[float]) -> Iterator[Rows]:
    """Packed batches from a background thread, so that the GPU never waits."""
    rng = random.Random(args.seed)
    streams: dict[str, Stream] = {}
    stages = json.loads(args.stages)
    ready: queue.Queue[Rows] = queue.Queue(8)
    later: queue.Queue[list[Group]] = queue.Queue()

    def take(arrived: list[Group]) -> None:
        by_source: dict[str, list[Group]] = {}
        for group in arrived:
            by_source.setdefault(group.source, []).append(group)
        for name, found in sorted(by_source.items()):
            if name in streams:
                rng.shuffle(found)  # the pass under way goes on into what is added
                streams[name].groups.extend(found)
            else:
                streams[name] = Stream(found, args.length, rng, args.most)

    def work() -> None:
        for number in count():
            # By its own number where the steps are known: the run itself is a few batches behind.
            at = number / args.steps if args.steps else progress[0]
            if not later.empty():
                take(arrived := later.get())
                print(json.dumps({"later groups, pairs, tokens": sizes(arrived)}), flush=True)
            ready.put(pack(streams, mix(at, stages), args.rows, args.length, rng))

    take(groups)
    if args.more:
        threading.Thread(target=later_groups, args=(args, later), daemon=True).start()
    threading.Thread(target=work, daemon=True).start()
    while True:
        yield ready.get()


def rate(progress: float, args: argparse.Namespace) -> float:
    """Warm-up, then a cosine down to a small floor."""
    if progress < args.warmup:
        part = max(progress / args.warmup, 0.01)
    else:
        turn = min((progress - args.warmup) / (1 - args.warmup), 1.0)
        part = args.floor + (1 - args.floor) * 0.5 * (1 + math.cos(math.pi * turn))
    return float(args.lr * part)


def quantised(weight: torch.Tensor, block: int = QAT_BLOCK) -> torch.Tensor:
    """Symmetric 4-bit blocks as the runtime stores them: scale = the extreme value / -8, sixteen levels."""
    flat = weight.reshape(-1, block)
    extreme = flat.gather(1, flat.abs().argmax(1, keepdim=True))
    scale = extreme / -8
    levels = torch.where(scale == 0, torch.zeros_like(flat), flat / scale).round().clamp(-8, 7)
    return (levels * scale).reshape(weight.shape)


def linear_weights(model: SmolLM) -> list[torch.Tensor]:
    """The weights that are stored in four bits."""
    return [m.weight for m in model.modules() if isinstance(m, torch.nn.Linear)]


def loss_of(model: SmolLM, rows: Rows, device: str, mask_kind: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Mean loss over the form's tokens, and the share of them predicted right."""
    tokens, positions, doc, segment, target = (
        torch.from_numpy(array).to(device, non_blocking=True)
        for array in (rows.tokens, rows.positions, rows.doc, rows.segment, rows.target)
    )
    mask = block_mask(doc, segment) if mask_kind == "flex" else row_mask(doc, segment)
    hidden = model(tokens, positions, mask)
    wanted = target >= 0
    scores = model.logits(hidden[wanted])
    goal = target[wanted].long()
    return F.cross_entropy(scores.float(), goal), (scores.argmax(-1) == goal).float().mean()


@dataclass
class Run:
    """A training run under way."""

    args: argparse.Namespace
    model: SmolLM
    device: str
    optimiser: torch.optim.Optimizer
    held: dict[str, list[Rows]]
    progress: list[float] = field(default_factory=lambda: [0.0])
    step: int = 0
    quantised: bool = False
    started: float = field(default_factory=time.time)
    window: list[tuple[torch.Tensor, torch.Tensor]] = field(default_factory=list)
    average: dict[str, torch.Tensor] = field(default_factory=dict)
    saved: float = 0.0

    def learn(self, rows: Rows) -> None:
        """One step on one batch."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate(self.progress[0], self.args)
        self.quantised = self.progress[0] >= self.args.qat_from
        masters = round_linears(self.model) if self.quantised else None
        with torch.autocast(self.device, torch.bfloat16, enabled=self.device == "cuda"):
            loss, right = loss_of(self.model, rows, self.device, self.args.mask)
        torch.autograd.backward(loss)
        if masters is not None:
            restore_linears(self.model, masters)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.optimiser.zero_grad(set_to_none=True)
        self.step += 1
        self.window.append((loss.detach(), right.detach()))
        args = self.args
        self.progress[0] = self.step / args.steps if args.steps else (time.time() - self.started) / (args.minutes * 60)
        if args.average and self.step % AVERAGE_EVERY == 0 and self.progress[0] >= AVERAGE_FROM:
            self.add_to_average()

    @torch.no_grad()
    def add_to_average(self) -> None:
        """Move the running mean of the weights towards those of this step."""
        for name, weight in self.model.named_parameters():
            if name in self.average:
                self.average[name].lerp_(weight.detach(), 1 - self.args.average)
            else:
                self.average[name] = weight.detach().clone()

    @torch.no_grad()
    def take_average(self) -> dict[str, Any]:
        """Leave the running mean in the model where it is the better one on held-out data, rounded as it will ship."""
        own = {name: weight.detach().clone() for name, weight in self.model.named_parameters()}
        scores: dict[str, Any] = {}
        for which, weights in (("last", own), ("average", self.average)):
            self.load(weights)
            masters = round_linears(self.model)
            scores[which] = evaluate(self.model, self.held, self.device, self.args)
            restore_linears(self.model, masters)
        means = {which: sum(pair[1] for pair in found.values()) for which, found in scores.items()}
        scores["taken"] = max(means, key=means.__getitem__)
        self.load(own if scores["taken"] == "last" else self.average)
        return scores

    @torch.no_grad()
    def load(self, weights: dict[str, torch.Tensor]) -> None:
        """Other weights in the same model."""
        for name, weight in self.model.named_parameters():
            weight.copy_(weights[name])

    def keep(self) -> None:
        """The weights so far, now and then: a machine that goes away takes everything else with it."""
        minutes = (time.time() - self.started) / 60
        if self.args.save_every and minutes - self.saved >= self.args.save_every:
            self.saved = minutes
            save(self.model, self.args, quantise=self.quantised)

    def record(self) -> dict[str, Any]:
        """What the steps since the last record came to; held-out data now and then, and at the end."""
        args, elapsed = self.args, time.time() - self.started
        loss, right = (float(torch.stack(column).mean()) for column in zip(*self.window, strict=True))
        self.window.clear()
        found: dict[str, Any] = {
            "step": self.step, "seconds": round(elapsed, 1), "lr": round(rate(self.progress[0], args), 7),
            "loss": round(loss, 4), "right": round(right, 4),
            "tokens_per_s": round(self.step * args.rows * args.length / elapsed),
        }  # fmt: skip
        if self.held and (self.step % args.eval_every == 0 or self.progress[0] >= 1):
            # Weights that are trained rounded are judged rounded: between the levels they mean nothing.
            masters = round_linears(self.model) if self.quantised else None
            found["held"] = evaluate(self.model, self.held, self.device, args)
            if masters is not None:
                restore_linears(self.model, masters)
        return found


@torch.no_grad()
def round_linears(model: SmolLM) -> list[torch.Tensor]:
    """Put every linear weight on its 4-bit grid; returns the exact weights, which the gradient is applied to."""
    masters = [w.detach().clone() for w in linear_weights(model)]
    for w in linear_weights(model):
        w.copy_(quantised(w))
    return masters


@torch.no_grad()
def restore_linears(model: SmolLM, masters: list[torch.Tensor]) -> None:
    """Undo `round_linears`."""
    for w, master in zip(linear_weights(model), masters, strict=True):
        w.copy_(master)


def train(args: argparse.Namespace) -> None:
    """Read, train, save; a line of train.jsonl every `log_every` steps."""
    torch.manual_seed(args.seed)
    torch.set_float32_matmul_precision("high")
    device = "cuda" if torch.cuda.is_available() else "cpu"
    everything = read_groups(args.data, str(args.tokenizer), args.workers)
    held = [g for g in everything if g.source.startswith("held")]
    groups = [g for g in everything if not g.source.startswith("held")]
    print(json.dumps({"groups, pairs, tokens": sizes(groups)}), flush=True)
    model = made_model(args, device)
    run = Run(args, model, device, made_optimiser(model, args.lr, device), held_batches(held, args))
    source = batches(groups, args, run.progress)
    run.started = time.time()
    with (args.out / "train.jsonl").open("a", encoding="utf-8") as log:
        while run.progress[0] < 1.0:
            run.learn(next(source))
            if run.step % args.log_every == 0 or run.progress[0] >= 1:
                line = json.dumps(run.record())
                print(line, flush=True)
                log.write(line + "\n")
                log.flush()
            run.keep()
        if run.average and run.held:
            line = json.dumps({"step": run.step, "rounded": run.take_average()})
            print(line, flush=True)
            log.write(line + "\n")
    save(model, args, quantise=run.quantised)


def sizes(groups: list[Group]) -> dict[str, list[int]]:
    """Groups, pairs and tokens of each source."""
    found: dict[str, list[int]] = {}
    for group in groups:
        row = found.setdefault(group.source, [0, 0, 0])
        row[0] += 1
        row[1] += len(group.pairs)
        row[2] += len(group.schema) + sum(len(q) + len(f) for q, f in group.pairs)
    return found


def made_model(args: argparse.Namespace, device: str) -> SmolLM:
    """The model with the base's weights, compiled layer by layer."""
    model = SmolLM(Config(**json.loads(args.config)))
    if args.base:
        model.load_state_dict(renamed(base_weights(args.base)), strict=True)
    model.to(device)
    if args.compile:
        for layer in model.layers:
            layer.compile()
    return model


def made_optimiser(model: SmolLM, lr: float, device: str) -> torch.optim.Optimizer:
    """AdamW; norms are not decayed."""
    decayed = [p for p in model.parameters() if p.ndim > 1]
    plain = [p for p in model.parameters() if p.ndim <= 1]
    return torch.optim.AdamW(
        [{"params": decayed, "weight_decay": 0.1}, {"params": plain, "weight_decay": 0.0}],
        lr=lr, betas=(0.9, 0.95), fused=device == "cuda",
    )  # fmt: skip


def base_weights(path: Path) -> dict[str, torch.Tensor]:
    """A safetensors file, the folder of parts that base.py wrote, or that of a round's weights by export.py."""
    if path.is_dir() and not (path / "index.json").exists():
        return {name: torch.from_numpy(weight) for name, weight in restore_state(load_exported(path), CONFIG).items()}
    if path.is_dir():
        return {name: torch.from_numpy(weight) for name, weight in load_parts(path).items()}
    weights: dict[str, torch.Tensor] = load_file(path)
    return weights


def renamed(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """The Hugging Face names of a Llama as this model's; the tied head is the embedding."""
    short = {re.sub(r"^model\.|self_attn\.|mlp\.", "", name): value.float() for name, value in state.items()}
    short.pop("lm_head.weight", None)
    return short


def held_batches(held: list[Group], args: argparse.Namespace) -> dict[str, list[Rows]]:
    """Fixed batches of each held-out source."""
    found: dict[str, list[Rows]] = {}
    for name in sorted({g.source for g in held}):
        rng = random.Random(0)
        stream = Stream([g for g in held if g.source == name], args.length, rng, args.most)
        found[name] = [pack({name: stream}, {name: 1.0}, args.rows, args.length, rng) for _ in range(args.held)]
    return found


@torch.no_grad()
def evaluate(
    model: SmolLM, held: dict[str, list[Rows]], device: str, args: argparse.Namespace
) -> dict[str, list[float]]:
    """Loss and token accuracy of each held-out source, with the weights as they are."""
    found = {}
    model.eval()
    for name, rows in held.items():
        with torch.autocast(device, torch.bfloat16, enabled=device == "cuda"):
            pairs = [loss_of(model, r, device, args.mask) for r in rows]
        found[name] = [round(float(sum(p[i] for p in pairs) / len(pairs)), 4) for i in (0, 1)]
    model.train()
    return found


def save(model: SmolLM, args: argparse.Namespace, *, quantise: bool) -> None:
    """The final weights in half precision; export rounds them to the grid that `quantised` trained them for."""
    state = {k: v.detach().float().cpu() for k, v in model.state_dict().items()}
    state = {k.replace("_orig_mod.", ""): v for k, v in state.items()}
    # Under another name first: run.sh makes parts of what stands there while the run goes on.
    unfinished = args.out / "model.part"
    save_file({k: v.to(torch.float16).contiguous() for k, v in state.items()}, unfinished)
    unfinished.replace(args.out / "model.safetensors")
    (args.out / "model.json").write_text(
        json.dumps({"qat": quantise, "block": QAT_BLOCK, "args": vars(args)}, default=str)
    )


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--more", type=Path, nargs="*", default=[], help="data that comes while it trains")
    parser.add_argument("--base", type=Path)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--config", default="{}", help="JSON of model sizes that differ from SmolLM2-135M")
    parser.add_argument("--minutes", type=float, default=18)
    parser.add_argument("--steps", type=int, default=0, help="a fixed number of steps instead of minutes")
    parser.add_argument("--rows", type=int, default=32)
    parser.add_argument("--length", type=int, default=2048)
    parser.add_argument("--most", type=int, default=24, help="questions behind one copy of a schema")
    parser.add_argument("--lr", type=float, default=3e-4)
    parser.add_argument("--floor", type=float, default=0.03)
    parser.add_argument("--warmup", type=float, default=0.03)
    parser.add_argument(
        "--average", type=float, default=0.0, help="decay of a running mean of the weights, taken every ten steps"
    )
    parser.add_argument("--save-every", type=float, default=0.0, help="minutes between copies of the weights so far")
    parser.add_argument("--qat-from", type=float, default=0.8)
    parser.add_argument("--stages", default='[[1.0, {"spider": 1, "business": 1, "synthetic": 2}]]')
    parser.add_argument("--mask", choices=("flex", "dense"), default="flex")
    parser.add_argument("--compile", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--workers", type=int, default=14)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log-every", type=int, default=50)
    parser.add_argument("--eval-every", type=int, default=250)
    parser.add_argument("--held", type=int, default=4, help="batches of each held-out source")
    return parser


if __name__ == "__main__":
    options = arguments().parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    train(options)

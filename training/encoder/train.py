"""Train the encoder's table by contrast: wordings of one question together, all others of its database apart.

    python -m training.encoder.train --groups groups.jsonl --words words.npz --spider questions.jsonl \\
        --out FOLDER [--dim 128 --steps 300]

A row of the table is `base vector · projection + own part`, times a learned weight: words never seen in training
move with the projection. Numbers, values and unknown words are signs of a hash with one learned weight a kind.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from inquery.llm.embedded.encoder import signs
from inquery.llm.embedded.features import KINDS
from training.encoder.alter import altered, values_of
from training.encoder.data import Text, Texts, Vocabulary, base_vectors, count, read_groups
from training.encoder.evaluate import retrieval
from training.encoder.export import export
from training.spider import CHINESE

MIXTURE = {"spider": 0.45, "business": 0.15, "synthetic": 0.3, "lexicon": 0.1}
CHUNK = 16
"""Questions of one database in a batch: the hard wrong answers."""
STARTS = {"w": 1.0, "b": 0.2, "p": 0.2, "v": 0.5, "n": 1.0, "z": 0.4, "c": 0.15}


class Table(nn.Module):
    """The trained parts of the encoder."""

    def __init__(self, base: np.ndarray, vocabulary: Vocabulary, dim: int) -> None:
        super().__init__()
        axes = np.linalg.eigh(base.T @ base)[1][:, ::-1][:, :dim]  # the directions in which the words differ most
        known = np.abs(base).sum(1) > 0
        scale = 1.0 / np.linalg.norm(base[known] @ axes, axis=1).mean()
        self.base: torch.Tensor
        self.register_buffer("base", torch.from_numpy(base))
        self.projection = nn.Parameter(torch.from_numpy((axes * scale).astype(np.float32)))
        own = torch.from_numpy(np.stack([signs(name, dim) for name in vocabulary.names]).astype(np.float32)) / dim**0.5
        own[torch.from_numpy(known)] *= 0.5
        self.own = nn.Parameter(own)
        starts = np.array([STARTS[name[0]] for name in vocabulary.names]) * vocabulary.rarity / vocabulary.rarity.max()
        self.weight = nn.Parameter(torch.log(torch.from_numpy(np.maximum(starts, 0.01).astype(np.float32))))
        self.hashed_weight = nn.Parameter(torch.log(torch.tensor([STARTS[kind] for kind in KINDS])))

    def rows(self, places: torch.Tensor) -> torch.Tensor:
        """Finished rows of the table."""
        return (self.base[places] @ self.projection + self.own[places]) * self.weight[places].exp()[:, None]

    def forward(self, texts: list[Text], hashed: torch.Tensor, drop: float) -> torch.Tensor:
        """Unit vectors of the texts."""
        places, back = torch.unique(torch.from_numpy(np.concatenate([t.rows for t in texts])), return_inverse=True)
        weights = torch.from_numpy(np.concatenate([t.weights for t in texts]))
        made = bags(self.rows(places), back, dropped(weights, drop), [len(t.rows) for t in texts])
        kinds = torch.from_numpy(np.concatenate([t.hashed_kinds for t in texts]))
        own = torch.from_numpy(np.concatenate([t.hashed_weights for t in texts]))
        numbers = torch.from_numpy(np.concatenate([t.hashed for t in texts]))
        scaled = dropped(own, drop) * self.hashed_weight[kinds].exp()
        made = made + bags(hashed, numbers, scaled, [len(t.hashed) for t in texts])
        return functional.normalize(made, dim=1)


def dropped(weights: torch.Tensor, share: float) -> torch.Tensor:
    """Some features left out, so that no single one is relied on."""
    return weights * (torch.rand_like(weights) >= share) if share else weights


def bags(table: torch.Tensor, rows: torch.Tensor, weights: torch.Tensor, sizes: list[int]) -> torch.Tensor:
    """The weighted sum of the rows of each text."""
    starts = torch.tensor([0, *np.cumsum(sizes[:-1]).tolist()])
    return functional.embedding_bag(rows, table, starts, mode="sum", per_sample_weights=weights)


class Batches:
    """Draws batches of two wordings and an altered one a group, a chunk of one database at a time."""

    def __init__(self, groups: list[dict[str, Any]], texts: Texts, seed: int) -> None:
        self.rng = random.Random(seed)
        self.by_source: dict[str, list[list[tuple[list[Text], list[Text]]]]] = {}
        by_database: dict[tuple[str, str], list[tuple[list[Text], list[Text]]]] = defaultdict(list)
        values = sorted({value for group in groups for text in group["texts"] for value in values_of(text)})
        for group in groups:
            if len(group["texts"]) < 2:
                continue
            made = [texts.make(text) for text in group["texts"]]
            others = [texts.make(text) for text in (altered(t, values, self.rng) for t in group["texts"]) if text]
            by_database[group["source"], group["database"]].append((made, others))
        for (source, _), members in by_database.items():
            self.by_source.setdefault(source, []).append(members)

    def draw(self, size: int) -> tuple[list[Text], list[Text], list[Text]]:
        """First wordings, second wordings, altered ones."""
        first: list[Text] = []
        second: list[Text] = []
        wrong: list[Text] = []
        sources = [source for source in MIXTURE if source in self.by_source]
        shares = [MIXTURE[source] for source in sources]
        while len(first) < size:
            source = self.rng.choices(sources, shares)[0]
            database = self.rng.choice(self.by_source[source])
            for made, others in self.rng.sample(database, min(CHUNK, len(database))):
                one, other = self.rng.sample(made, 2)
                first.append(one)
                second.append(other)
                wrong += [self.rng.choice(others)] if others else []
        return first, second, wrong


def contrast(
    table: Table, batch: tuple[list[Text], list[Text], list[Text]], hashed: torch.Tensor, heat: float, drop: float
) -> torch.Tensor:
    """Each first wording must find its second among all, and the other way round."""
    first, second, wrong = batch
    vectors = table(first + second + wrong, hashed, drop)
    one, rest = vectors[: len(first)], vectors[len(first) :]
    other = rest[: len(second)]
    target = torch.arange(len(first))
    forward = functional.cross_entropy(one @ rest.T / heat, target)
    return (forward + functional.cross_entropy(other @ one.T / heat, target)) / 2


def sign_table(texts: Texts, dim: int) -> torch.Tensor:
    """The signs of every hashed feature met."""
    made = np.stack([signs(name, dim) for name in texts.hashed] or [np.zeros(dim, dtype=np.float32)])
    return torch.from_numpy((made / dim**0.5).astype(np.float32))


def optimizer_for(
    table: Table, args: argparse.Namespace
) -> tuple[torch.optim.Optimizer, torch.optim.lr_scheduler.LRScheduler]:
    """Weights of features move fastest, the projection slowest; one cycle of the learning rate."""
    optimizer = torch.optim.AdamW([
        {"params": [table.own], "lr": args.lr, "weight_decay": args.decay},
        {"params": [table.projection], "lr": args.lr * 0.2, "weight_decay": 0.0},
        {"params": [table.weight, table.hashed_weight], "lr": args.lr * 4, "weight_decay": 0.0},
    ])  # fmt: skip
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, max_lr=[g["lr"] for g in optimizer.param_groups], total_steps=args.steps, pct_start=0.05
    )
    return optimizer, schedule


def train(args: argparse.Namespace) -> list[dict[str, float]]:
    """Train, measure on tune as it goes, export the last table: steps past 200 differ by noise; the measurements come back."""
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    groups = read_groups(args.groups, args.synthetic)
    given = np.load(args.words)
    words = [str(word) for word in given["words"]]
    vocabulary = count(groups, words)
    table = Table(base_vectors(vocabulary, words, given["vectors"]), vocabulary, args.dim)
    texts = Texts(vocabulary)
    batches = Batches(groups, texts, args.seed)
    hashed = sign_table(texts, args.dim)
    print(f"{len(groups)} groups, {len(vocabulary.names)} rows, {len(texts.hashed)} hashed", flush=True)
    optimizer, schedule = optimizer_for(table, args)
    started, losses = time.time(), list[float]()
    measured: list[dict[str, float]] = []
    for step in range(1, args.steps + 1):
        loss = contrast(table, batches.draw(args.batch), hashed, args.heat, args.drop)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        schedule.step()
        losses.append(loss.item())
        if step % args.every == 0 or step == args.steps:
            found = retrieval(export(table, vocabulary, args), args.spider, args.chinese)
            row = {"step": step, "seconds": round(time.time() - started), "loss": float(np.mean(losses[-args.every :]))}
            measured.append({**row, **{kind: each["rank_1"] for kind, each in found.items()}})
            print(json.dumps(measured[-1]), flush=True)
    export(table, vocabulary, args, args.out)
    return measured


def arguments() -> argparse.ArgumentParser:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("groups", "words", "spider", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--chinese", type=Path, default=CHINESE)
    counts = {"dim": 128, "steps": 300, "batch": 320, "every": 100, "seed": 1, "threads": 2, "synthetic": 20000}
    for name, default in counts.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    for name, start in {"lr": 3e-3, "decay": 0.01, "heat": 0.05, "drop": 0.15}.items():
        parser.add_argument(f"--{name}", type=float, default=start)
    return parser


if __name__ == "__main__":
    train(arguments().parse_args())

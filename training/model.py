"""SmolLM2 in plain PyTorch: small enough to read, fast with packed rows and a block mask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn


@dataclass(frozen=True)
class Config:
    """Sizes of SmolLM2-135M; tests use smaller ones."""

    vocabulary: int = 49152
    width: int = 576
    layers: int = 30
    heads: int = 9
    kv_heads: int = 3
    hidden: int = 1536
    theta: float = 100000.0
    eps: float = 1e-5
    dropout: float = 0.0

    @property
    def head(self) -> int:
        return self.width // self.heads


class Norm(nn.Module):
    """Root-mean-square norm, computed in fp32."""

    def __init__(self, width: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        f = x.float()
        return (f * torch.rsqrt(f.pow(2).mean(-1, keepdim=True) + self.eps)).to(x.dtype) * self.weight.to(x.dtype)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary embedding with halves, as in the Hugging Face layout."""
    half = x.shape[-1] // 2
    turned = torch.cat((-x[..., half:], x[..., :half]), -1)
    return x * cos + turned * sin


class Block(nn.Module):
    """One decoder layer."""

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.c = c
        self.input_layernorm = Norm(c.width, c.eps)
        self.q_proj = nn.Linear(c.width, c.heads * c.head, bias=False)
        self.k_proj = nn.Linear(c.width, c.kv_heads * c.head, bias=False)
        self.v_proj = nn.Linear(c.width, c.kv_heads * c.head, bias=False)
        self.o_proj = nn.Linear(c.heads * c.head, c.width, bias=False)
        self.post_attention_layernorm = Norm(c.width, c.eps)
        self.gate_proj = nn.Linear(c.width, c.hidden, bias=False)
        self.up_proj = nn.Linear(c.width, c.hidden, bias=False)
        self.down_proj = nn.Linear(c.hidden, c.width, bias=False)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Any) -> Tensor:
        x = x + self.thinned(self.attend(self.input_layernorm(x), cos, sin, mask))
        h = self.post_attention_layernorm(x)
        fed: Tensor = self.down_proj(F.silu(self.gate_proj(h)) * self.up_proj(h))
        return x + self.thinned(fed)

    def thinned(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.c.dropout, self.training) if self.c.dropout else x

    def attend(self, h: Tensor, cos: Tensor, sin: Tensor, mask: Any) -> Tensor:
        rows, length, _ = h.shape
        q = self.q_proj(h).view(rows, length, self.c.heads, self.c.head).transpose(1, 2)
        k = self.k_proj(h).view(rows, length, self.c.kv_heads, self.c.head).transpose(1, 2)
        v = self.v_proj(h).view(rows, length, self.c.kv_heads, self.c.head).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        if isinstance(mask, Tensor):
            out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
        else:
            from torch.nn.attention.flex_attention import flex_attention

            out = flex_attention(q, k, v, block_mask=mask, enable_gqa=True)
        projected: Tensor = self.o_proj(out.transpose(1, 2).reshape(rows, length, -1))
        return projected


class SmolLM(nn.Module):
    """The decoder; `forward` returns hidden states, `logits` the scores of chosen positions only."""

    turns: Tensor

    def __init__(self, c: Config) -> None:
        super().__init__()
        self.c = c
        self.embed_tokens = nn.Embedding(c.vocabulary, c.width)
        self.layers = nn.ModuleList(Block(c) for _ in range(c.layers))
        self.norm = Norm(c.width, c.eps)
        turns = 1.0 / (c.theta ** (torch.arange(0, c.head, 2).float() / c.head))
        self.register_buffer("turns", turns, persistent=False)

    def forward(self, tokens: Tensor, positions: Tensor, mask: Any) -> Tensor:
        angles = positions[:, None, :, None].float() * self.turns
        angles = torch.cat((angles, angles), -1)
        x = self.embed_tokens(tokens)
        if self.c.dropout:
            x = F.dropout(x, self.c.dropout, self.training)
        if torch.is_autocast_enabled():
            x = x.to(torch.get_autocast_gpu_dtype())
        cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
        for layer in self.layers:
            x = layer(x, cos, sin, mask)
        normed: Tensor = self.norm(x)
        return normed

    def logits(self, hidden: Tensor) -> Tensor:
        return F.linear(hidden, self.embed_tokens.weight)


def row_mask(doc: Tensor, segment: Tensor) -> Tensor:
    """The dense mask of packed rows: causal, within a document, a question sees its schema and itself."""
    causal = torch.ones(doc.shape[1], doc.shape[1], dtype=torch.bool, device=doc.device).tril()
    same = doc[:, :, None] == doc[:, None, :]
    seen = (segment[:, None, :] == 0) | (segment[:, :, None] == segment[:, None, :])
    return (causal & same & seen)[:, None]


def block_mask(doc: Tensor, segment: Tensor) -> Any:
    """The same mask for flex attention, which skips the empty blocks."""
    from torch.nn.attention.flex_attention import create_block_mask

    def allowed(b: Tensor, h: Tensor, q: Tensor, k: Tensor) -> Tensor:
        seen = (segment[b, k] == 0) | (segment[b, q] == segment[b, k])
        return (q >= k) & (doc[b, q] == doc[b, k]) & seen

    rows, length = doc.shape
    return create_block_mask(allowed, rows, None, length, length, device=doc.device, _compile=doc.is_cuda)

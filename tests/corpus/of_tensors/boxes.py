"""Box utilities for a DETR / YOLO style detection head."""

import torch
from torch import Tensor

EPS = 1e-7
MAX_WH = 4096.0  # larger than any image; offsets classes so they never overlap


def cxcywh_to_xyxy(boxes: Tensor) -> Tensor:
    cx, cy, w, h = boxes.unbind(-1)
    return torch.stack([cx - 0.5 * w, cy - 0.5 * h, cx + 0.5 * w, cy + 0.5 * h], dim=-1)


def box_area(boxes: Tensor) -> Tensor:
    wh = (boxes[..., 2:] - boxes[..., :2]).clamp(min=0)
    return wh[..., 0] * wh[..., 1]


def pairwise_iou(a: Tensor, b: Tensor) -> Tensor:
    """IoU of every box of `a` (N, 4) with every box of `b` (M, 4), both xyxy."""
    lt = torch.max(a[:, None, :2], b[None, :, :2])
    rb = torch.min(a[:, None, 2:], b[None, :, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[..., 0] * wh[..., 1]
    union = box_area(a)[:, None] + box_area(b)[None, :] - inter
    return inter / (union + EPS)


def detect(
    raw_boxes: Tensor,
    logits: Tensor,
    image_size: tuple[int, int],
    score_thresh: float = 0.3,
    iou_thresh: float = 0.5,
    max_dets: int = 100,
) -> tuple[Tensor, Tensor, Tensor]:
    """Turn raw head outputs for one image into final detections.

    Args:
        raw_boxes: (N, 4) normalised cx, cy, w, h.
        logits: (N, C) class logits.
        image_size: (height, width) in pixels.

    Returns:
        boxes (K, 4) in pixels xyxy, scores (K,), labels (K,), best first.
    """
    height, width = image_size
    scores, labels = logits.sigmoid().max(dim=-1)

    boxes = cxcywh_to_xyxy(raw_boxes)
    boxes = boxes * torch.tensor([width, height, width, height], dtype=boxes.dtype)
    boxes[:, 0::2] = boxes[:, 0::2].clamp(0, width)
    boxes[:, 1::2] = boxes[:, 1::2].clamp(0, height)

    keep = scores > score_thresh
    boxes, scores, labels = boxes[keep], scores[keep], labels[keep]
    if boxes.shape[0] == 0:
        return boxes, scores, labels

    # greedy NMS, class by class thanks to the offsets
    shifted = boxes + labels[:, None].to(boxes.dtype) * MAX_WH
    iou = pairwise_iou(shifted, shifted)
    order = scores.argsort(descending=True)
    picked = []
    while order.numel() > 0 and len(picked) < max_dets:
        best = order[0]
        picked.append(best)
        rest = order[1:]
        order = rest[iou[best, rest] <= iou_thresh]

    idx = torch.stack(picked)
    return boxes[idx], scores[idx], labels[idx]

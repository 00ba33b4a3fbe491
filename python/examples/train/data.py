"""Positions to train with: folders that `tesuji export STORE --training DIR` writes."""

import json
import os

import numpy as np
import torch

from command_line import Problem

ARRAYS = {
    "planes": "<f2",
    "policies": "<f2",
    "legal": "|b1",
    "move_values": "<f2",
    "root_values": "<f4",
    "values": "<f4",
    "games": "<i4",
}
FORM = ("encoding", "planes", "height", "width", "n_logits")
HELD_OUT = 0.05


def read_form(folder):
    """Return the form of a folder, checked."""
    path = os.path.join(folder, "form.json")
    if not os.path.isdir(folder):
        raise Problem("there is no folder {}".format(folder))
    try:
        with open(path, encoding="utf-8") as file:
            form = json.load(file)
    except OSError:
        raise Problem(
            "{} has no form.json: `tesuji export STORE --training DIR` writes such folders".format(folder)
        )
    except ValueError as error:
        raise Problem("{} is not JSON: {}".format(path, error))
    if not isinstance(form, dict):
        raise Problem("{} is not a JSON object".format(path))
    for key in ("game", "encoding"):
        if not isinstance(form.get(key), str):
            raise Problem('{} has no text "{}"'.format(path, key))
    for key in ("planes", "height", "width", "n_logits", "positions"):
        number = form.get(key)
        if not isinstance(number, int) or isinstance(number, bool) or number < (key != "positions"):
            raise Problem('{} has no whole number "{}" above 0'.format(path, key))
    return form


def read_array(folder, name, shape):
    """Return an array of a folder, still on disk, with its type and shape checked."""
    path = os.path.join(folder, name + ".npy")
    if not os.path.isfile(path):
        raise Problem("there is no file {}".format(path))
    try:
        array = np.load(path, mmap_mode="r" if shape[0] else None, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise Problem("{} cannot be read: {}".format(path, error))
    if array.dtype != np.dtype(ARRAYS[name]) or array.shape != shape:
        raise Problem(
            "{} has {} of shape {}, but its form.json means {} of shape {}".format(
                path, array.dtype.str, array.shape, ARRAYS[name], shape
            )
        )
    return array


def held_out_games(games):
    """Return those of a folder's games that are held out: always the same ones of the same games."""
    order = np.random.RandomState(20).permutation(games)
    return order[: int(round(HELD_OUT * len(games)))]


class Positions:
    """All positions of some folders, as tensors, and which of them are held out."""

    def __init__(self, folders, device):
        forms = [read_form(folder) for folder in folders]
        self.form = forms[0]
        for folder, form in zip(folders, forms):
            for key in FORM + ("game",):
                if form[key] != self.form[key]:
                    raise Problem(
                        "{} has {} {}, but {} has {}: train with folders of one form".format(
                            folder, key, form[key], folders[0], self.form[key]
                        )
                    )
        cells = (self.form["planes"], self.form["height"], self.form["width"])
        moves = (self.form["n_logits"],)
        shapes = {"planes": cells, "policies": moves, "legal": moves, "move_values": moves}
        parts = {name: [] for name in ARRAYS}
        for folder, form in zip(folders, forms):
            for name in ARRAYS:
                shape = (form["positions"],) + shapes.get(name, ())
                parts[name].append(read_array(folder, name, shape))
        self.split(parts["games"])
        self.store(parts, torch.device(device))
        self.check(folders, [form["positions"] for form in forms])

    def split(self, folders_games):
        """Hold out games of every folder, and one game at least."""
        masks, n_games = [], []
        for games in folders_games:
            distinct = np.unique(games)
            n_games.append(len(distinct))
            masks.append(np.isin(games, held_out_games(distinct)))
        self.n_games = sum(n_games)
        if self.n_games < 2:
            raise Problem(
                "there is a single game, but training needs two at least: one is held out"
                if self.n_games
                else "there are no positions in these folders"
            )
        if not any(mask.any() for mask in masks):
            largest = int(np.argmax(n_games))
            masks[largest] = folders_games[largest] == folders_games[largest][-1]
        held_out = torch.from_numpy(np.concatenate(masks))
        self.training = torch.nonzero(~held_out).flatten()
        self.validation = torch.nonzero(held_out).flatten()

    def store(self, parts, device):
        """Keep everything on the device if it takes at most 60 % of the free memory there."""
        size = sum(array.nbytes for arrays in parts.values() for array in arrays)
        self.device = device
        self.home = device
        if device.type == "cuda" and size > 0.6 * torch.cuda.mem_get_info(device)[0]:
            self.home = torch.device("cpu")
        self.tensors = {}
        for name in ARRAYS:
            if name == "games":
                continue
            # One folder after the other, so that memory here holds one copy at most.
            arrays = parts.pop(name)
            n = sum(len(array) for array in arrays)
            tensor = torch.from_numpy(np.empty((1,) + arrays[0].shape[1:], arrays[0].dtype))
            tensor = torch.empty((n,) + tuple(tensor.shape[1:]), dtype=tensor.dtype, device=self.home)
            start = 0
            for array in arrays:
                for i in range(0, len(array), 1 << 18):
                    piece = np.array(array[i : i + (1 << 18)])
                    tensor[start : start + len(piece)] = torch.from_numpy(piece)
                    start += len(piece)
            self.tensors[name] = tensor
        self.training = self.training.to(self.home)
        self.validation = self.validation.to(self.home)

    def check(self, folders, counts):
        """Refuse numbers that would spoil the training silently."""
        start = 0
        for folder, count in zip(folders, counts):
            for i in range(start, start + count, 1 << 16):
                part = slice(i, min(i + (1 << 16), start + count))
                policies = self.tensors["policies"][part].float()
                if not bool(((policies >= 0) & (policies <= 1.01)).all()):
                    raise Problem("{} has policies outside 0 to 1".format(folder))
                if bool(((policies > 0) & ~self.tensors["legal"][part]).any()):
                    raise Problem("{} has policies of illegal moves".format(folder))
                if not bool(torch.isfinite(self.tensors["planes"][part].float()).all()):
                    raise Problem("{} has planes that are not finite".format(folder))
                for name in ("values", "root_values"):
                    values = self.tensors[name][part]
                    if not bool(((values >= 0) & (values <= 1)).all()):
                        raise Problem("{} has {} outside 0 to 1".format(folder, name))
                values = self.tensors["move_values"][part].float()
                if bool(((values < 0) | (values > 1)).any()):
                    raise Problem("{} has move_values outside 0 to 1".format(folder))
            start += count

    def batch(self, indices):
        """Return the positions of these indices, on the device, in single precision."""
        out = {}
        for name, tensor in self.tensors.items():
            rows = tensor.index_select(0, indices).to(self.device, non_blocking=True)
            out[name] = rows if name == "legal" else rows.float()
        return out

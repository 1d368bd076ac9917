"""Tensors that are made: the values are NumPy's, or those that Java has of the same seed."""

from __future__ import annotations

import numpy as np
import pytest

from broadloom import Broadloom


def test_ranges_and_constants_are_those_of_numpy(loom: Broadloom) -> None:
    for made, array in [
        (loom.zeros(2, 3), np.zeros((2, 3), np.float32)),
        (loom.ones((2, 3), dtype=np.int8), np.ones((2, 3), np.int8)),
        (loom.full((2,), True), np.array([True, True])),
        (loom.full(3, 1.5), np.full(3, 1.5, np.float32)),
        (loom.full((), 7), np.int64(7)),
        (loom.arange(5), np.arange(5)),
        (loom.arange(2, 9, 3, dtype="uint8"), np.uint8([2, 5, 8])),
        (loom.arange(0.5, 2, 0.5), np.float32([0.5, 1, 1.5])),
        (loom.linspace(0, 1, 5), np.linspace(0, 1, 5, dtype=np.float32)),
        (loom.eye(2, 3), np.eye(2, 3, dtype=np.float32)),
    ]:
        assert made.dtype == array.dtype
        np.testing.assert_array_equal(made.to_numpy(), array)


def test_a_seed_says_all(loom: Broadloom) -> None:
    first, again = loom.random(7), loom.random(7)
    x = first.rand(100, 3)
    np.testing.assert_array_equal(x.to_numpy(), again.rand((100, 3)).to_numpy())
    assert (first.rand(100, 3).to_numpy() != x.to_numpy()).all()
    # the first words of Philox for the key 0, by Random123's vectors
    assert loom.random(0).rand(2, dtype="float64").tolist() == [0.8805201978886142, 0.6054818538799213]
    assert abs(float(first.normal(3, 0.5, 10000).mean()) - 3) < 0.025
    assert set(first.randint(-1, 2, 100).tolist()) == {-1, 0, 1}
    assert sorted(first.permutation(100).tolist()) == list(range(100))
    assert set(first.dropout(loom.ones(100), 0.2).tolist()) == {0, 1.25}
    assert first.bernoulli(loom.tensor([0.0, 1.0])).tolist() == [0, 1]
    assert first.bernoulli(0.5, 10, dtype="bool").dtype == bool


def test_what_cannot_be_made_is_refused(loom: Broadloom) -> None:
    with pytest.raises(ValueError, match="step must be nonzero"):
        loom.arange(0, 5, 0)
    with pytest.raises(ValueError, match="random_ expects 'from' to be less than 'to', but got from=3 >= to=3"):
        loom.random(1).randint(3, 3, 2)
    with pytest.raises(ValueError, match="dropout probability has to be between 0 and 1, but got 2"):
        loom.random(1).dropout(loom.ones(3), 2)

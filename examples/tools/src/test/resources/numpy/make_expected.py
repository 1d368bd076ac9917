"""Makes raccoon.json: what NumPy says of the photograph. Run in the repository root: python3 examples/tools/src/test/resources/numpy/make_expected.py"""

import hashlib
import json
import pathlib

import numpy as np

root = pathlib.Path("examples")
x = np.load(root / "data/face.npy")
m = np.array([109.3, 112.7, 96.4], np.float32)
s = np.array([55.1, 52.9, 60.3], np.float32)
y = (x - m) / s
assert y.dtype == np.float32

places = [[0, 0, 0], [0, 0, 2], [383, 511, 1], [400, 3, 0], [767, 1023, 2]]
expected = {
    "numpy": np.__version__,
    "m": m.tolist(),
    "s": s.tolist(),
    "shape": list(y.shape),
    "sha256": hashlib.sha256(y.astype("<f4").tobytes()).hexdigest(),
    "places": places,
    "values": [float(y[tuple(place)]) for place in places],
}
(root / "tools/src/test/resources/numpy/raccoon.json").write_text(json.dumps(expected, indent=2) + "\n")

"""Measures one workload with one Python library, in a process of its own.

Reads one JSON object from standard input: who, device (cpu or cuda:N, which PyTorch alone takes), place (where the tensors are: there, on
the device, or here), threads, warm_up, warm_up_seconds, measured, text, operands (name, dtype, shape, transposed), block, samples. Writes one JSON object: either version, seconds (a list), and the shape and some elements
(sample) of the result, or absent (the reason).
"""

import json
import os
import sys
import time

job = json.load(sys.stdin)
for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS"):
    os.environ[name] = str(job["threads"])  # read when the libraries are loaded, below
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=true intra_op_parallelism_threads=%d" % job["threads"]


def answer(**fields):
    print(json.dumps(fields), flush=True)
    sys.exit(0)


def block(np, count, dtype, number):
    """The values that every contender computes with: see the class Inputs, which has the same formula."""
    bits = ((np.arange(1, count + 1, dtype=np.uint64) + 7919 * number) * 2654435761 & 0xFFFFFFFF).astype(np.uint32)
    if dtype == np.bool_:
        return (bits >> 31).astype(np.bool_)
    if dtype.kind != "f":
        return (bits >> 24).astype(dtype)
    unit = (bits >> 8).astype(np.float32) * np.float32(2.0**-24)
    return (unit * np.float32(4) - np.float32(2) if number == 0 else unit + np.float32(0.25)).astype(dtype)


def arrays(np):
    """The operands as NumPy arrays."""
    made = {}
    for number, operand in enumerate(job["operands"]):
        shape = tuple(operand["shape"])
        count = int(np.prod(shape))
        values = block(np, min(count, job["block"]), np.dtype(operand["dtype"]), number)
        array = np.resize(values, count).reshape(shape)
        made[operand["name"]] = array.T if operand["transposed"] else array
    return made


def sample(result):
    """Some elements at even distances, the first and the last among them."""
    import numpy as np
    flat = result.reshape(-1)
    size = flat.shape[0]
    count = min(size, job["samples"])
    at = [i * (size - 1) // max(1, count - 1) for i in range(count)]
    chosen = flat[at].cpu() if job["who"].startswith("torch") else np.asarray(flat)[at]
    return [float("%.9g" % value) for value in np.asarray(chosen).astype(np.float64)]


def numpy_names(np, xp=None):
    """The functions of the text, by the names that Broadloom and PyTorch give them."""
    xp = xp or np
    return dict(
        where=xp.where, tanh=xp.tanh, exp=xp.exp, maximum=xp.maximum, abs=xp.abs,
        sum=lambda a, dim, keepdim=False: a.sum(axis=dim, keepdims=keepdim),
        mean=lambda a, dim, keepdim=False: a.mean(axis=dim, keepdims=keepdim),
        std=lambda a, dim, keepdim=False: a.std(axis=dim, keepdims=keepdim, ddof=1),
        amax=lambda a, dim, keepdim=False: a.max(axis=dim, keepdims=keepdim),
        float32=lambda a: a.astype("float32"))


code = compile(job["text"], job["text"], "eval")


def with_numpy():
    import numpy as np
    names = numpy_names(np) | arrays(np)
    return np.__version__, lambda: eval(code, names)


def with_numpy_out():
    """The ordinary call, with buffers that are kept: only where the text is a chain of binary operators."""
    import numpy as np
    given = arrays(np)
    if job["workload"] == "W1":
        x, mean, inv = given["x"], given["mean"], given["inv"]
        out = np.empty_like(x)
        def call():
            np.subtract(x, mean, out=out)
            return np.multiply(out, inv, out=out)
    elif job["workload"] == "W6":
        u, mean, std = given["u"], given["mean"], given["std"]
        out = np.empty(u.shape, np.float32)
        def call():
            np.divide(u, np.float32(255), out=out)
            np.subtract(out, mean, out=out)
            return np.divide(out, std, out=out)
    elif job["workload"] == "W7":
        x, y, z = given["x"], given["y"], given["z"]
        out = np.empty(x.shape, np.float32)
        def call():
            np.add(x, y, out=out)
            return np.add(out, z, out=out)
    else:
        answer(absent="only W1, W6 and W7 are chains of binary operators")
    return np.__version__, call


def with_numexpr():
    import numexpr as ne
    import numpy as np
    ne.set_num_threads(job["threads"])
    given = arrays(np)
    texts = {
        "W1": "(x - mean) * inv",
        "W2": "where(x > m, tanh((x - m) * s) + exp(-x * x), tenth * x)",
        "W4": "(a - b) ** 2",
        "W5": "a * b + a",
        "W6": "(u / full - mean) / std",
        "W7": "x + y + z",
        "W8": "a - b",
    }
    given["tenth"], given["full"] = np.float32(0.1), np.float32(255)
    workload = job["workload"]
    if workload == "W3":
        x = given["x"]
        def call():
            given["m"] = x.mean((0, 2, 3), keepdims=True)
            given["s"] = x.std((0, 2, 3), keepdims=True, ddof=1)
            return ne.evaluate("(x - m) / s", given)
    elif workload == "W4":
        call = lambda: ne.evaluate(texts["W4"], given).sum(-1)
    elif workload == "W5":
        call = lambda: ne.evaluate(texts["W5"], given).max(1)
    elif workload == "W10":
        # numexpr has no maximum; where says the same of numbers.
        text = "x"
        for i in range(1, 11):
            given["p%d" % i], given["q%d" % i] = np.float32("0.9%d" % i), np.float32("0.%d" % i)
            text = "where(abs(%s * p%d - q%d) > x, abs(%s * p%d - q%d), x)" % (text, i, i, text, i, i)
            if len(text) > 100_000:
                answer(absent="its language has no maximum, and without it the text doubles at every step")
        call = lambda: ne.evaluate(text, given)
    elif workload in texts:
        call = lambda: ne.evaluate(texts[workload], given)
    elif any(array.dtype == np.float16 for array in given.values()):
        answer(absent="it has no float16")
    elif "float32(" in job["text"]:
        answer(absent="it has no such conversion")
    else:
        call = lambda: ne.evaluate(job["text"], given)
    return ne.__version__, call


def torch_tensors(torch):
    """The operands, made on the device from one block of values; those that shall stay here, in pinned memory, from which copies are fastest."""
    import numpy as np
    home = job["device"] if job["place"] == "there" else "cpu"
    made = {}
    for number, operand in enumerate(job["operands"]):
        shape = tuple(operand["shape"])
        count = int(np.prod(shape))
        values = torch.from_numpy(block(np, min(count, job["block"]), np.dtype(operand["dtype"]), number)).to(home)
        tensor = values.repeat(-(-count // values.numel()))[:count].reshape(shape)
        if home != job["device"]:
            tensor = tensor.pin_memory()
        made[operand["name"]] = tensor.T if operand["transposed"] else tensor
    return made


def on_torch_device(torch, compute, given):
    """A call that ends when its result is complete."""
    if job["device"] == "cpu":
        return lambda: compute(**given)
    done = torch.cuda.Event()
    if job["place"] == "there":
        def call():
            result = compute(**given)
            done.record()
            done.synchronize()
            return result
        return call
    like = compute(**{name: tensor.to(job["device"]) for name, tensor in given.items()})
    here = torch.empty(like.shape, dtype=like.dtype, pin_memory=True)
    del like
    def call():
        there = {name: tensor.to(job["device"], non_blocking=True) for name, tensor in given.items()}
        here.copy_(compute(**there), non_blocking=True)
        done.record()
        done.synchronize()
        return here
    return call


def torch_function(torch):
    functions = dict(
        where=torch.where, tanh=torch.tanh, exp=torch.exp, maximum=torch.maximum, abs=torch.abs, sum=torch.sum,
        mean=torch.mean, std=torch.std, amax=torch.amax, float32=lambda a: a.float())
    names = [operand["name"] for operand in job["operands"]]
    exec("def f(%s):\n    return %s" % (", ".join(names), job["text"]), functions)
    return functions["f"]


def with_torch():
    import torch
    torch.set_num_threads(job["threads"])
    return torch.__version__, on_torch_device(torch, torch_function(torch), torch_tensors(torch))


def with_torch_compile():
    import torch
    torch.set_num_threads(job["threads"])
    compiled = torch.compile(torch_function(torch))
    return torch.__version__, on_torch_device(torch, compiled, torch_tensors(torch))


def with_jax():
    import jax
    import jax.numpy as jnp
    import numpy as np
    functions = numpy_names(np, jnp)
    functions["float32"] = lambda a: a.astype(jnp.float32)
    given = arrays(np)
    transposed = {operand["name"] for operand in job["operands"] if operand["transposed"]}
    # The transposition is the work of the kernel, not of the copy into JAX.
    values = [jax.device_put(np.ascontiguousarray(a.T if n in transposed else a)) for n, a in given.items()]
    body = "\n".join("    %s = %s.T" % (name, name) for name in transposed)
    exec("def f(%s):\n%s\n    return %s" % (", ".join(given), body, job["text"]), functions)
    f = jax.jit(functions["f"])
    return jax.__version__, lambda: f(*values).block_until_ready()


def with_dask():
    import dask
    import dask.array as da
    import numpy as np
    given = arrays(np)
    names = numpy_names(np, da)
    for name, array in given.items():
        large = array.nbytes > 1 << 20
        rows = -(-array.shape[0] // 8) if array.ndim and array.shape[0] > 1 else 1
        names[name] = da.from_array(array, chunks=(rows,) + array.shape[1:]) if large else array
    if job["workload"] in ("W4", "W5", "W8"):
        for name, array in given.items():
            rows = -(-array.shape[0] // 8) if array.shape[0] > 1 else 1
            names[name] = da.from_array(array, chunks=(rows,) + array.shape[1:])
    names["float32"] = lambda a: a.astype("float32")
    def call():
        with dask.config.set(scheduler="threads", num_workers=job["threads"]):
            return eval(code, names).compute()
    return dask.__version__, call


contenders = {
    "numpy": with_numpy, "numpy+out": with_numpy_out, "numexpr": with_numexpr, "torch": with_torch,
    "torch.compile": with_torch_compile, "jax.jit": with_jax, "dask": with_dask}

try:
    version, call = contenders[job["who"]]()
    begin = time.perf_counter()
    calls = 0
    while calls < job["warm_up"] or time.perf_counter() - begin < job["warm_up_seconds"]:
        call()
        calls += 1
    seconds = []
    result = None
    for _ in range(job["measured"]):
        del result  # before the next call: its memory is free again
        start = time.perf_counter()
        result = call()
        seconds.append(time.perf_counter() - start)
    shape, elements = list(result.shape), sample(result)
except ImportError as e:
    answer(absent="not installed: " + str(e))
except MemoryError:
    answer(absent="out of memory")
except Exception as e:
    answer(absent=(type(e).__name__ + ": " + str(e)).splitlines()[0][:200])
answer(version=version, seconds=seconds, shape=shape, sample=elements)

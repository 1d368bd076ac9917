"""Exact nearest neighbours with faiss, or with PyTorch on a GPU: reads one JSON object, answers with another."""

import json
import sys
import time


def faiss_search(job, left, right):
    import faiss
    faiss.omp_set_num_threads(job["threads"])

    def search():
        index = faiss.IndexFlatL2(right.shape[1])
        index.add(right)
        return index.search(left, job["k"])[1]
    return faiss.__version__, search


def torch_search(job, left, right):
    """Both tables are on the device before; a gigabyte of distances is there at a time."""
    import torch
    a, b = (torch.from_numpy(side).to(job["device"]) for side in (left, right))
    rows = max(1, (1 << 28) // b.shape[0])

    def search():
        found = [torch.cdist(some, b).topk(job["k"], largest=False).indices for some in a.split(rows)]
        return torch.cat(found).cpu().numpy()
    return torch.__version__, search


def main():
    job = json.load(sys.stdin)
    try:
        import numpy
        left = numpy.load(job["left"])
        right = numpy.load(job["right"])
        version, search = {"faiss": faiss_search, "torch": torch_search}[job["who"]](job, left, right)
    except ImportError as missing:
        print(json.dumps({"absent": str(missing)}))
        return
    for _ in range(job["warm_up"]):
        search()
    seconds = []
    for _ in range(job["repeat"]):
        start = time.perf_counter()
        found = search()
        seconds.append(time.perf_counter() - start)
    numpy.save(job["out"], found.astype(numpy.int64))
    print(json.dumps({"seconds": seconds, "version": version}))


main()

"""Exact nearest neighbours with faiss: reads one JSON object, answers with another."""

import json
import sys
import time


def main():
    job = json.load(sys.stdin)
    try:
        import faiss
        import numpy
    except ImportError as missing:
        print(json.dumps({"absent": str(missing)}))
        return
    faiss.omp_set_num_threads(job["threads"])
    left = numpy.load(job["left"])
    right = numpy.load(job["right"])
    seconds = []
    for _ in range(job["repeat"]):
        start = time.perf_counter()
        index = faiss.IndexFlatL2(right.shape[1])
        index.add(right)
        _, found = index.search(left, job["k"])
        seconds.append(time.perf_counter() - start)
    numpy.save(job["out"], found.astype(numpy.int64))
    print(json.dumps({"seconds": seconds, "version": faiss.__version__}))


main()

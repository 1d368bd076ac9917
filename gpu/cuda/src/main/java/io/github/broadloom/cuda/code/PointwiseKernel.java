package io.github.broadloom.cuda.code;

import io.github.broadloom.cuda.code.Pieces.Piece;

/** A kernel of some family and how it runs over a piece. */
interface PointwiseKernel {
    /** The threads of a block: as many as every family likes, and few enough for 128 registers each to let two blocks share a multiprocessor. */
    int THREADS = 256;

    /** The kernel. */
    CudaSource source();

    /** How many blocks do a piece. */
    long blocks(Piece piece);

    /** What its struct may contain. */
    Fields fields();
}

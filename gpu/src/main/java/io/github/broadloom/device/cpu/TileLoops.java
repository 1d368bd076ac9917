package io.github.broadloom.device.cpu;

import io.github.broadloom.codegen.KernelSpec;
import io.github.broadloom.codegen.LoopNest;
import io.github.broadloom.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Several programs over the tiles of one nest, on one thread: the tile of an operand that they share is read once. */
final class TileLoops {
    private final long tiles;
    private final List<TileLoop> loops = new ArrayList<>();

    /** The arrays of a tile, by the operand's number in the nest and how it varies. */
    private record TileKey(int operand, KernelSpec.Access access) {}

    /**
     * Plans the loops.
     *
     * @param programs what is computed of each tile, over the accesses that the tiling chose
     * @param operands of each program, by their numbers in the nest
     * @param tensors of the nest
     */
    TileLoops(
            List<TileLoop.Program> programs,
            List<List<Integer>> operands,
            LoopNest nest,
            Tiling tiling,
            List<Tensor> tensors) {
        this.tiles = tiling.tiles();
        TileCursor cursor = new TileCursor(nest, tiling);
        Map<TileKey, OperandTile> read = new HashMap<>();
        for (int i = 0; i < programs.size(); i++) {
            TileLoop.Program program = programs.get(i);
            List<OperandTile> own = new ArrayList<>();
            for (int k = 0; k < operands.get(i).size(); k++) {
                TileKey key = new TileKey(operands.get(i).get(k), program.access(k));
                own.add(read.computeIfAbsent(
                        key,
                        absent -> new OperandTile(
                                tensors.get(key.operand()), key.operand(), nest, tiling, key.access())));
            }
            loops.add(new TileLoop(program, cursor, own, tiling));
        }
    }

    /**
     * Runs all tiles, over the elements that the operands now have.
     *
     * @param sinks of each program
     */
    void run(List<TileLoop.Sink> sinks) {
        loops.forEach(TileLoop::forget);
        for (long tile = 0; tile < tiles; tile++) {
            for (int i = 0; i < loops.size(); i++) {
                loops.get(i).run(tile, tile + 1, sinks.get(i));
            }
        }
    }
}

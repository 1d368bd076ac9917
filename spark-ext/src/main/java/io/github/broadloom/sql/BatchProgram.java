package io.github.broadloom.sql;

import io.github.broadloom.table.CellReader;
import java.io.Serializable;
import java.util.List;

/**
 * Programs that are evaluated together over the same cells: what is sent to the executors.
 *
 * @param cells how the cell at each place of a row is read, once for all programs
 * @param programs over these cells
 */
record BatchProgram(List<CellReader> cells, List<TensorProgram> programs) implements Serializable {
    BatchProgram {
        cells = List.copyOf(cells);
        programs = List.copyOf(programs);
    }
}

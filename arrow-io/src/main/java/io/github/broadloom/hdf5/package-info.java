/** HDF5 files, whose structures jHDF takes apart; elements are read here, and nothing is read or given memory on a file's word alone. */
@NullMarked
package io.github.broadloom.hdf5;

import org.jspecify.annotations.NullMarked;

/** Arrays in folders of compressed chunks, as Zarr stores them, of versions 2 and 3: what their metadata says, the codecs of their chunks, reading and writing. */
@NullMarked
package io.github.broadloom.zarr;

import org.jspecify.annotations.NullMarked;

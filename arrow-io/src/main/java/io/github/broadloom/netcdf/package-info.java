/** NetCDF files: those of version 3, which are read here, and those of version 4, which are HDF5. */
@NullMarked
package io.github.broadloom.netcdf;

import org.jspecify.annotations.NullMarked;

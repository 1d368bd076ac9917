/** Pictures as arrays of their pixels: TIFF with what GeoTIFF adds, PNG and JPEG, and folders of equal ones. */
@NullMarked
package io.github.broadloom.pictures;

import org.jspecify.annotations.NullMarked;

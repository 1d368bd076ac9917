/** Places in local and Hadoop file systems, temporary names beside them, and the parts and the manifest of a tensor in many files. It touches {@code exec} alone. */
@NullMarked
package io.github.broadloom.exec.files;

import org.jspecify.annotations.NullMarked;

/**
 * Where data comes from: tensors of the driver, npy and Arrow files, folders of parts, columns of tables. It touches {@code exec.files} and {@code exec.jobs}, and knows
 * neither what is kept nor what is computed.
 */
@NullMarked
package io.github.broadloom.exec.read;

import org.jspecify.annotations.NullMarked;

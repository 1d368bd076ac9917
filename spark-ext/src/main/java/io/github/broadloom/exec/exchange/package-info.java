/**
 * How operands and kernels come to the tasks: broadcast whole or in pieces, with the code, from files, from the chunks of parents, through the shuffle; and how
 * results come to the driver. It touches {@code exec.read} and {@code exec.cache}.
 */
@NullMarked
package io.github.broadloom.exec.exchange;

import org.jspecify.annotations.NullMarked;

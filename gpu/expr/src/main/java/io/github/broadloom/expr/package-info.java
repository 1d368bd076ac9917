/**
 * Tensor expressions: the graph, how its nodes are typed and shaped when they are built, and what PyTorch's named functions are made of. Knows no kernel and no device; of the
 * packages beside it only {@link io.github.broadloom.expr.ops}, whose rows say how a node is typed.
 */
@NullMarked
package io.github.broadloom.expr;

import org.jspecify.annotations.NullMarked;

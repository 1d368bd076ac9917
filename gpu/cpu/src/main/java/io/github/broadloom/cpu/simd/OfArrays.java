package io.github.broadloom.cpu.simd;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A function of one number of which the build makes functions of arrays: a plain loop and one on the Vector API with the same bits, a method of {@link Simd} or {@link Casts} that runs the
 * faster, and the contract that both keep. Every statement becomes a loop of its own, because C2 inlines about thirty calls of the Vector API in a method and makes objects of the vectors behind
 * them; what a statement declares lies in an array until the last that reads it. An {@code if} belongs to the statement behind it: vectors of which an element meets its condition go one by one.
 */
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.METHOD)
@interface OfArrays {
    /** How many parameters, the last ones, are the same number for all elements. */
    int numbers() default 0;
}

package io.github.broadloom.bench.guide;

import java.util.concurrent.Callable;

/** The Java of a page, compiled, with calls between its statements. Public, as what is compiled in a test has a class loader of its own. */
public interface Script {
    /**
     * Runs the page from its first line to its last.
     *
     * @throws Exception where a statement fails of which the page does not say so
     */
    void run(Steps steps) throws Exception;

    /** What the compiled page calls; statements are counted from 0. */
    interface Steps {
        /** Before a statement that is not an expression. */
        void begin(int step);

        /** After it. */
        void end(int step);

        /** After a declaration, with what the variable is. */
        void end(int step, Object value);

        /** An expression with a value. */
        void show(int step, Callable<?> expression);

        /** An expression without one. */
        void show(int step, Action action);

        /** At the place of a block of another language, and at the end of each of Java. */
        void block(int block);
    }

    /** An expression without a value. */
    interface Action {
        /**
         * Evaluates it.
         *
         * @throws Exception as the expression does
         */
        void run() throws Exception;
    }
}

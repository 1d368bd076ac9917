package io.github.broadloom.exec;

import java.util.List;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** The few Scala types that Spark's core interface asks Java for. */
public final class Scala {
    private Scala() {}

    public static <T> Seq<T> seq(List<T> list) {
        return CollectionConverters.asScala(list).toSeq();
    }

    public static <T> Iterator<T> iterator(List<T> elements) {
        return CollectionConverters.asScala(elements.iterator());
    }

    public static <T> ClassTag<T> tag(Class<T> type) {
        return ClassTag$.MODULE$.apply(type);
    }

    /** What happens to the result of each task. */
    public interface ResultHandler<U> {
        void accept(int chunk, U result);
    }

    /** A result handler for Spark, which calls it in the thread of its scheduler; it never leaves the driver. */
    public static final class Handler<U> extends AbstractFunction2<Object, U, BoxedUnit> {
        private final ResultHandler<U> handler;

        public Handler(ResultHandler<U> handler) {
            this.handler = handler;
        }

        @Override
        public BoxedUnit apply(Object index, U result) {
            handler.accept((Integer) index, result);
            return BoxedUnit.UNIT;
        }
    }
}

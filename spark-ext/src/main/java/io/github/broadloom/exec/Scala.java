package io.github.broadloom.exec;

import java.util.List;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

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
}

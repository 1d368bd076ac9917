package io.github.broadloom.lanes;

/** {@link Places} of a JVM without the Vector API: none. */
final class ScalarPlaces implements Places {

    @Override
    public boolean haveEights() {
        return false;
    }

    @Override
    public boolean readMemory() {
        return false;
    }
}

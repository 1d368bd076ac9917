package io.github.broadloom.tools.commands;

import io.github.broadloom.dtype.DType;
import io.github.broadloom.lazy.LazyTensor;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.spark.Broadloom;
import io.github.broadloom.spark.DistributedTensor;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.tools.console.UserError;

/**
 * Light falling on terrain from many directions at once, as one broadcast: directions [N,1,1] with slopes [H-2,W-2].
 *
 * <p>With p and q the slopes towards the east and the south, h the altitude of the light above the horizon and a its
 * azimuth, clockwise from north, the brightness is the cosine of the angle between the light and the ground's normal:
 * {@code max(0, (-p·sin a·cos h + q·cos a·cos h + sin h) / sqrt(1 + p² + q²))}. Level ground has brightness sin h.
 */
record Hillshade(Tensor eastward, Tensor southward) {
    /** Rows and columns but the outermost, and those shifted by one either way. */
    private static final Slice INNER = Slice.of(1, -1);

    private static final Slice AFTER = Slice.from(2);
    private static final Slice BEFORE = Slice.to(-2);

    /**
     * The slopes of a grid by central differences.
     *
     * @param elevation [H,W] in metres, rows running south; at least 3 by 3
     * @param cellMetres the distance of neighbouring cells
     */
    static Hillshade of(Tensor elevation, double cellMetres) {
        if (elevation.rank() != 2
                || elevation.shape().size(0) < 3
                || elevation.shape().size(1) < 3) {
            throw new UserError("Cannot shade an array of shape " + elevation.shape()
                    + "; elevation needs two dimensions of at least 3");
        }
        if (!(cellMetres > 0) || Double.isInfinite(cellMetres)) {
            throw new UserError("Cannot shade with a cell of " + cellMetres + " metres; give a positive --cell");
        }
        Tensor z = elevation.to(DType.FLOAT32);
        // Four views of one storage: nothing is copied to shift the grid.
        Tensor p = slope(z.index(INNER, AFTER), z.index(INNER, BEFORE), cellMetres);
        Tensor q = slope(z.index(AFTER, INNER), z.index(BEFORE, INNER), cellMetres);
        return new Hillshade(p, q);
    }

    private static Tensor slope(Tensor ahead, Tensor behind, double cellMetres) {
        return LazyTensor.of(ahead)
                .sub(LazyTensor.of(behind))
                .div(2 * cellMetres)
                .compute();
    }

    /** The brightness from evenly spaced azimuths, the first in the north: float32 [azimuths, H-2, W-2], cut over the azimuths. */
    DistributedTensor shade(Broadloom broadloom, int azimuths, double altitudeDegrees) {
        double altitude = Math.toRadians(altitudeDegrees);
        float[] east = new float[azimuths];
        float[] north = new float[azimuths];
        for (int i = 0; i < azimuths; i++) {
            double azimuth = Math.toRadians(degrees(i, azimuths));
            east[i] = (float) (Math.sin(azimuth) * Math.cos(altitude));
            north[i] = (float) (Math.cos(azimuth) * Math.cos(altitude));
        }
        DistributedTensor lightEast = broadloom.tensor(Tensors.copyOf(east, azimuths, 1, 1), azimuths);
        DistributedTensor lightNorth = broadloom.tensor(Tensors.copyOf(north, azimuths, 1, 1), azimuths);
        DistributedTensor p = broadloom.tensor(eastward);
        DistributedTensor q = broadloom.tensor(southward);
        DistributedTensor length = p.mul(p).add(q.mul(q)).add(1).sqrt();
        return q.mul(lightNorth)
                .sub(p.mul(lightEast))
                .add(Math.sin(altitude))
                .div(length)
                .maximum(0);
    }

    /** Where the light of the i-th of n azimuths comes from, in degrees clockwise from north. */
    static double degrees(int i, int azimuths) {
        return 360.0 * i / azimuths;
    }
}

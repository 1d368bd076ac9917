package io.github.broadloom.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.broadloom.Python;
import io.github.broadloom.expr.fluent.NamedTensor;
import io.github.broadloom.io.WriteMode;
import io.github.broadloom.named.Coordinate;
import io.github.broadloom.shape.Shape;
import io.github.broadloom.shape.Slice;
import io.github.broadloom.tensor.Tensor;
import io.github.broadloom.tensor.Tensors;
import io.github.broadloom.zarr.ZarrOptions;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedFilesTest {
    private static final String YEARS = """
            import sys, numpy as np, pandas as pd, xarray as xr
            rng = np.random.default_rng(7)
            time = pd.date_range("1999-12-01T12:00", periods=500)
            sizes = (500, 4, 3)
            t = rng.normal(280, 9, sizes)
            holes = np.where(rng.random(sizes) < 0.2, np.nan, t)
            dims = ("time", "lat", "lon")
            place = {"time": time, "lat": np.float32([60.5, 50.1, 40, 30]), "lon": [0, 90, 180]}
            data = xr.Dataset({"t": (dims, t), "sst": (dims, holes)}, place)
            data.time.encoding["units"] = "hours since 1970-01-01"
            """;

    private static final String COMPARED = """
            x, holes = data.t, data.sst
            w = xr.DataArray(np.float64([1, 2, 3, 4]), {"lat": data.lat}, "lat")
            months = x.groupby("time.month").mean()
            expected = {
                "weighted": (x * w).sum("lat"),
                "outer": w - x.isel(lon=0),
                "where": xr.where(x > x.mean("time"), x, x.min()),
                "months": months,
                "anomalies": x.groupby("time.month") - months,
                "inner": x.transpose("lat", "time", "lon").groupby("time.month").mean(),
                "holes": holes.groupby("time.season").mean().sel(season=["DJF", "MAM", "JJA", "SON"]),
                "days": x.groupby("time.dayofyear").max(),
                "years": x.groupby("time.year").std(ddof=1),
                "weeks": x.isel(time=slice(0, None, 3)).resample(time="7D").mean(),
                "monthly": x.isel(time=slice(0, None, 100)).resample(time="MS").mean(),
                "beyond": x.groupby("time.year") - x.groupby("time.year").max(),
                "spring": x.sel(time=slice("2000-03", "2000-05"), lat=slice(50.2, 30)),
                "near": x.sel(lat=41.2, method="nearest").sel(time="2000-02-29T12:00"),
                "rolling": x.rolling(time=30).mean(),
                "running": x.cumsum("time").diff("time"),
                "quantile": x.quantile(0.9, "time"),
                "argmax": x.argmax("time"),
                "mean": holes.mean(["lat", "time"]),
            }
            for line in open(sys.argv[1] + "/dims").read().splitlines():
                name, dims = line.split(":")
                assert tuple(dims.split(",")) == expected[name].dims, (name, dims, expected[name].dims)
                for chunks in (1, 2, 7):
                    got = np.load(f"{sys.argv[1]}/{name}-{chunks}.npy")
                    np.testing.assert_allclose(got, expected[name].values, 1e-11, 1e-11, err_msg=f"{name} {chunks}")
                expected.pop(name)
            assert not expected, expected.keys()
            """;

    @TempDir
    Path folder;

    private static Broadloom broadloom() {
        return LocalSpark.broadloom();
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private NamedTensor<DistributedTensor> read(String key, int chunks) throws IOException {
        NamedTensor<DistributedTensor> read = broadloom().readNamed(path("years.nc:" + key));
        NamedTensor<DistributedTensor> cut = broadloom()
                .tensor(read.tensor().collect(), chunks)
                .named(read.dims().toArray(String[]::new));
        for (Coordinate coordinate : read.coordinates().values()) {
            cut = cut.withCoordinate(coordinate);
        }
        return cut;
    }

    @Test
    void programsGiveWhatXarrayGives() throws Exception {
        Python.assumeHas("xarray");
        Python.assumeHas("netCDF4");
        Python.succeeds(YEARS + "data.to_netcdf(sys.argv[1] + '/years.nc')", folder.toString());
        StringBuilder dims = new StringBuilder();
        for (int chunks : new int[] {1, 2, 7}) {
            dims.setLength(0);
            for (Map.Entry<String, NamedTensor<DistributedTensor>> result :
                    results(chunks).entrySet()) {
                NamedTensor<DistributedTensor> value = result.getValue();
                value.tensor().writeNpy(path(result.getKey() + "-" + chunks + ".npy"), WriteMode.CREATE);
                dims.append(result.getKey())
                        .append(':')
                        .append(String.join(",", value.dims()))
                        .append('\n');
            }
        }
        Files.writeString(folder.resolve("dims"), dims);
        Python.succeeds(YEARS + COMPARED, folder.toString());
    }

    private Map<String, NamedTensor<DistributedTensor>> results(int chunks) throws IOException {
        NamedTensor<DistributedTensor> x = read("t", chunks);
        NamedTensor<DistributedTensor> holes = read("sst", chunks);
        NamedTensor<DistributedTensor> w =
                broadloom().tensor(Tensors.of(1.0, 2, 3, 4)).named("lat").withCoordinate(x.coordinate("lat"));
        NamedTensor<DistributedTensor> months = x.groupBy("time.month").mean();
        Map<String, NamedTensor<DistributedTensor>> results = new LinkedHashMap<>();
        results.put("weighted", x.mul(w).sum("lat"));
        results.put("outer", w.sub(x.isel("lon", 0)));
        results.put("where", x.gt(x.mean("time")).where(x, x.amin()));
        results.put("months", months);
        results.put("anomalies", x.groupBy("time.month").sub(months));
        results.put(
                "inner", x.transpose("lat", "time", "lon").groupBy("time.month").mean());
        results.put("holes", holes.groupBy("time.season").nanmean());
        results.put("days", x.groupBy("time.dayofyear").max());
        results.put("years", x.groupBy("time.year").std());
        results.put(
                "weeks",
                x.isel("time", Slice.of(0, 500, 3)).resample("time", "7D").mean());
        results.put(
                "monthly",
                x.isel("time", Slice.of(0, 500, 100)).resample("time", "MS").mean());
        results.put(
                "beyond", x.resample("time", "YS").sub(x.resample("time", "YS").max()));
        results.put("spring", x.sel("time", "2000-03", "2000-05").sel("lat", 50.2, 30));
        results.put("near", x.selNearest("lat", 41.2).sel("time", "2000-02-29"));
        results.put("rolling", x.rolling("time", 30, "mean"));
        results.put("running", x.cumsum("time").diff("time"));
        results.put("quantile", x.quantile(0.9, "time"));
        results.put("argmax", x.argmax("time"));
        results.put("mean", holes.nanmean("lat", "time"));
        return results;
    }

    private static final Map<String, Object> DAYS = Map.of("units", "days since 2001-01-30", "calendar", "noleap");

    private static NamedTensor<DistributedTensor> made(int chunks) {
        Tensor values = Tensors.arange(1, 43, 1).view(7, 3, 2);
        return broadloom()
                .tensor(values, chunks)
                .named("time", "lat", "lon")
                .withCoordinate(Coordinate.of("time", Tensors.arange(7), DAYS))
                .withCoordinate("lat", Tensors.of(60f, 45f, 30f));
    }

    @Test
    void aGroupOfZarrKeepsNamesAndCoordinates() throws IOException {
        LocalSpark.session()
                .sparkContext()
                .hadoopConfiguration()
                .set("fs.remote.impl", RemoteFileSystem.class.getName());
        for (String scheme : new String[] {"", "remote://"}) {
            for (int chunks : new int[] {1, 2, 7}) {
                String store = scheme + path("x" + scheme.length() + ".zarr:t");
                broadloom().writeNamed(made(chunks), store, WriteMode.OVERWRITE);
                NamedTensor<DistributedTensor> read = broadloom().readNamed(store);
                assertThat(read.toString()).isEqualTo(made(1).toString());
                assertThat(read.coordinate("time").attributes()).isEqualTo(DAYS);
                Bits.assertSame(read.tensor().collect(), made(1).tensor().collect());
            }
        }
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("x0.zarr", "x9.zarr");
        assertThat(folder.resolve("x0.zarr").toFile().list())
                .containsExactlyInAnyOrder("zarr.json", "t", "time", "lat");
    }

    @Test
    void tensorStoreReadsTheGroup() throws Exception {
        Python.assumeHas("tensorstore");
        ZarrOptions options = ZarrOptions.DEFAULT.withChunk(Shape.of(2, 3, 2)).withAttributes(Map.of("units", "K"));
        broadloom().writeNamed(made(2), path("x.zarr:t"), WriteMode.CREATE, options);
        Python.succeeds("""
                import json, sys, numpy as np, tensorstore as ts
                def opened(name):
                    kv = {"driver": "file", "path": sys.argv[1] + "/" + name}
                    return ts.open({"driver": "zarr3", "kvstore": kv}).result()
                t = opened("t")
                assert t.domain.labels == ("time", "lat", "lon"), t.domain
                assert (t[...].read().result() == np.arange(1, 43).reshape(7, 3, 2)).all()
                assert (opened("time").read().result() == np.arange(7)).all()
                lat = opened("lat")
                assert lat.domain.labels == ("lat",) and lat.dtype == ts.float32 and lat[2].read().result() == 30
                group = json.load(open(sys.argv[1] + "/zarr.json"))
                assert group["node_type"] == "group" and group["zarr_format"] == 3, group
                assert json.load(open(sys.argv[1] + "/t/zarr.json"))["attributes"] == {"units": "K"}
                assert json.load(open(sys.argv[1] + "/time/zarr.json"))["attributes"]["calendar"] == "noleap"
                """, path("x.zarr"));
    }

    @Test
    void nothingElseIsReplacedAndNoNameIsLost() throws IOException {
        NamedTensor<DistributedTensor> x = made(2);
        broadloom().writeNamed(x, path("x.zarr:t"), WriteMode.CREATE);
        assertThatThrownBy(() -> broadloom().writeNamed(x, path("x.zarr:t"), WriteMode.CREATE))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> broadloom().writeNamed(x, path("x.zarr:u"), WriteMode.OVERWRITE))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("it holds more than these arrays of Zarr: t");
        Files.writeString(folder.resolve("x.zarr/lat/notes.txt"), "mine");
        assertThatThrownBy(() -> broadloom().writeNamed(x, path("x.zarr:t"), WriteMode.OVERWRITE))
                .hasMessageContaining("it holds more than an array of Zarr: notes.txt");
        assertThatThrownBy(() -> broadloom().writeNamed(x, path("y.zarr:lat"), WriteMode.CREATE))
                .hasMessageContaining("a coordinate has that name, too");
        assertThatThrownBy(() -> broadloom().writeNamed(x, path("y.zarr:a/b"), WriteMode.CREATE))
                .hasMessageContaining("'a/b' is no name of a folder");
        assertThatThrownBy(() ->
                        broadloom().writeNamed(x, path("y.zarr"), WriteMode.CREATE, ZarrOptions.DEFAULT.withVersion(2)))
                .hasMessageContaining("are written as version 3");
        assertThatThrownBy(() -> broadloom().writeNamed(x, path("y.npy"), WriteMode.CREATE))
                .hasMessageContaining("names are written to Zarr alone");
        x.tensor().write(path("bare.zarr"), WriteMode.CREATE);
        assertThatThrownBy(() -> broadloom().readNamed(path("bare.zarr")))
                .hasMessageContaining("its dimensions have no names; read(...) it, and give it names");
        assertThatThrownBy(() -> broadloom().readNamed(path("*.zarr:t"))).hasMessageContaining("those of one file");
        assertThat(broadloom().readNamed(path("x.zarr:t")).toString()).isEqualTo(x.toString());
    }
}

"""Writes months.nc: two years of months, 10 * month + year, at 3 latitudes that run north and 4 longitudes (xarray)."""
import numpy as np
import xarray as xr

times = np.array([f"{year}-{month:02}-15" for year in (2000, 2001) for month in range(1, 13)], dtype="datetime64[ns]")
months = np.tile(np.arange(1, 13), 2)
values = (10 * months + np.repeat([0, 1], 12))[:, None, None] + np.zeros((24, 3, 4))
data = xr.Dataset({"t": (("time", "lat", "lon"), values.astype("f4"))}, {"time": times, "lat": [-60.0, 0.0, 60.0]})
data.to_netcdf("months.nc", format="NETCDF3_64BIT", encoding={"time": {"units": "hours since 1900-01-01", "dtype": "f8"}})

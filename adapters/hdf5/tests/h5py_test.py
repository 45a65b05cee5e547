# SPDX-License-Identifier: BSD-3-Clause
"""Reads with h5py what the program `write` has written on several ranks."""

import sys

import h5py
import numpy as np


def main(path):
    expected = (np.arange(42) % 90).reshape(6, 7)
    with h5py.File(path, "r") as file:
        assert len(file["layouts"]) == 12, list(file["layouts"])
        for name, dataset in {**file["layouts"], **file["types"]}.items():
            values = dataset[...]
            if name == "bool":
                assert values.dtype == bool and (values == (np.arange(6) % 2 == 1)).all()
                continue
            assert values.dtype == (name if name in file["types"] else "float64"), (name, values)
            assert (values == expected).all(), (name, values)
            attributes = dict(dataset.attrs)
            assert attributes["time"] == 0.5 and attributes["step"] == 3, attributes
            assert attributes["unit"] == "K" and list(attributes["origin"]) == [1, 2.5], attributes
            assert attributes["daptor_format"] == 1, attributes
            assert len(attributes["daptor_division"]) == 2, attributes
            assert isinstance(attributes["daptor_version"], str), attributes


main(sys.argv[1])

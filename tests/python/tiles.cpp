// SPDX-License-Identifier: BSD-3-Clause
// A module with two functions whose keywords are option structs; the second struct has one member
// and one line in `fields` more than the first.
#include <optional>
#include <string>

#include "calls/options.hpp"
#include "daptor/fields.hpp"

namespace daptor::test {
namespace {

enum class Glaze { none, matt, gloss };
constexpr auto words(Glaze) {
  return word_list(word("none", Glaze::none), word("matt", Glaze::matt, "as it is fired"),
                   word("gloss", Glaze::gloss, "fired twice"));
}

struct TileOptions {
  bool readonly = false;
  int width = 3;
  Glaze glaze = Glaze::none;
  std::optional<std::int64_t> row = std::nullopt;
};
constexpr auto fields(const TileOptions&) {
  return field_list(field("readonly", &TileOptions::readonly, "lock the tile for reading"),
                    field("width", &TileOptions::width, "elements in a row"),
                    optional_field("glaze", &TileOptions::glaze, "how the surface is treated"),
                    optional_field("row", &TileOptions::row, "where it lies; not given: anywhere"));
}

struct WiderOptions {
  bool readonly = false;
  int width = 3;
  Glaze glaze = Glaze::none;
  std::optional<std::int64_t> row = std::nullopt;
  std::string label = "blue";
};
constexpr auto fields(const WiderOptions&) {
  return field_list(field("readonly", &WiderOptions::readonly, "lock the tile for reading"),
                    field("width", &WiderOptions::width, "elements in a row"),
                    optional_field("glaze", &WiderOptions::glaze, "how the surface is treated"),
                    optional_field("row", &WiderOptions::row, "where it lies; not given: anywhere"),
                    field("label", &WiderOptions::label, "what is written on it"));
}

namespace py = pybind11;

/// What has reached the call, after all ranks have said the same.
template <class Options>
py::dict tile(const python::Given& given, const py::object& comm_object) {
  const python::HeldComm comm = python::communicator_of(comm_object);
  Call call = python::python_call(comm, "a tile");
  Options options;
  call.check([&] {
    options = given.read<Options>();
    if constexpr (std::is_same_v<Options, WiderOptions>) call.same("label", options.label);
    call.same("width", options.width);
  });
  py::dict reached;
  for_each_field(options, [&](const auto& field, const auto& value) {
    if constexpr (std::is_enum_v<std::decay_t<decltype(value)>>)
      reached[field.name] = std::string(word_of(value));
    else if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::optional<std::int64_t>>)
      reached[field.name] = value ? py::object(py::int_(*value)) : py::none();
    else
      reached[field.name] = value;
  });
  return reached;
}

}  // namespace
}  // namespace daptor::test

PYBIND11_MODULE(tiles, module) {
  using namespace daptor::python;
  using namespace daptor::test;
  py::module_::import("daptor._daptor");  // the classes of errors
  define(module, "tile", Keywords().of<TileOptions>(), tile<TileOptions>, py::arg("comm"),
         "A tile.\n\n{options}");
  define(module, "wider", Keywords().of<WiderOptions>(), tile<WiderOptions>, py::arg("comm"),
         "A tile.\n\n{options}");
  finish_signatures(module);
}

// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/hdf5/xdmf.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <locale>
#include <optional>
#include <sstream>
#include <variant>

#include "attributes.hpp"
#include "daptor/adapter/reason.hpp"
#include "daptor/adapter/text.hpp"
#include "daptor/call.hpp"
#include "daptor/error.hpp"
#include "existing_file.hpp"
#include "paths.hpp"

namespace daptor::hdf5 {
namespace {

/// Text in the "C" locale, with numbers that are read back as they are.
class Text {
 public:
  Text() {
    out_.imbue(std::locale::classic());
    out_.precision(17);
  }
  template <class T>
  Text& operator<<(const T& value) {
    out_ << value;
    return *this;
  }
  std::string text() const { return out_.str(); }

 private:
  std::ostringstream out_;
};

/// Numbers with spaces between them.
template <class Number>
std::string list(const std::vector<Number>& numbers) {
  Text text;
  for (std::size_t i = 0; i < numbers.size(); ++i) text << (i == 0 ? "" : " ") << numbers[i];
  return text.text();
}

/// For XML, in attributes too.
std::string escaped(const std::string& text) {
  std::string result;
  for (const char each : text) {
    if (each == '&')
      result += "&amp;";
    else if (each == '<')
      result += "&lt;";
    else if (each == '"')
      result += "&quot;";
    else
      result += each;
  }
  return result;
}

std::string name_in(const std::string& path) {
  return path.substr(path.rfind('/') + 1);
}

/// `runs/state.xdmf` of `runs/state.h5`
std::string xdmf_path(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  const std::size_t name = path.rfind('/') + 1;
  const bool has_suffix = dot != std::string::npos && dot > name;
  return (has_suffix ? path.substr(0, dot) : path) + ".xdmf";
}

struct Shown {
  std::string name;
  Dataset dataset;
  std::vector<Index> shape;  ///< of a step
  bool steps = false, vectors = false;
};

[[noreturn]] void refuse(const Terms& found, const Terms& expected) {
  adapter::refuse_argument("hdf5.xdmf", found, expected);
}

void require_finite(const char* what, const std::vector<double>& numbers, bool positive) {
  for (const double number : numbers)
    if (!std::isfinite(number) || (positive && number <= 0))
      refuse(std::string(what) + " of " + list(numbers),
             positive ? "distances greater than 0" : "finite numbers");
}

void require_grid(const XdmfGrid& grid) {
  const std::size_t ndim = grid.spacing.size();
  if (ndim < 2 || ndim > 3 || (!grid.origin.empty() && grid.origin.size() != ndim))
    refuse("a spacing of " + std::to_string(ndim) + " numbers and an origin of " +
               std::to_string(grid.origin.size()),
           "a spacing of 2 or 3, and an origin of as many or of none");
  require_finite("a spacing", grid.spacing, true);
  require_finite("an origin", grid.origin, false);
}

Shown shown(const std::string& path, const std::string& name, std::size_t ndim) {
  Shown field{name, detail::look_with_steps(path, name), {}};
  field.steps = field.dataset.attributes.count(detail::steps_attribute) > 0;
  field.shape = field.dataset.shape;
  if (field.steps && !field.shape.empty()) field.shape.erase(field.shape.begin());
  field.vectors = ndim == 3 && field.shape.size() == 4 && field.shape.back() == 3;
  if (field.shape.size() != ndim && !field.vectors)
    refuse("the dataset '" + name + "' of " + terms::file_shape(field.dataset.shape),
           "one of the " + std::to_string(ndim) +
               " dimensions of the grid, or, of three, with one more of size 3 for vectors");
  if (field.vectors) field.shape.pop_back();
  const std::optional<DataType>& type = field.dataset.type;
  const bool number = type && type->kind() != Kind::complex && type->kind() != Kind::boolean &&
                      type->itemsize() <= 8 &&
                      (type->kind() != Kind::floating || type->itemsize() >= 4);
  if (!number)
    refuse("the dataset '" + name + "' with elements of " + (type ? "type " : "the kind ") +
               field.dataset.elements,
           "integers, or floating-point numbers of 4 or 8 bytes");
  return field;
}

std::vector<Shown> all_shown(const std::string& path, const std::vector<std::string>& names,
                             std::size_t ndim) {
  if (names.empty()) refuse("no names", "one dataset or more");
  std::vector<Shown> fields;
  for (const std::string& name : names) {
    detail::require_name(name);
    fields.push_back(shown(path, name, ndim));
    const Shown &one = fields.front(), &other = fields.back();
    if (one.shape != other.shape || one.steps != other.steps ||
        (one.steps && one.dataset.shape[0] != other.dataset.shape[0]))
      refuse("'" + one.name + "' of " + terms::file_shape(one.dataset.shape) + " and '" +
                 other.name + "' of " + terms::file_shape(other.dataset.shape),
             "datasets of the same shape, with as many steps");
  }
  return fields;
}

std::vector<double> times_of(const Shown& field) {
  const auto found = field.dataset.of_steps.find("time");
  if (found != field.dataset.of_steps.end()) {
    if (const auto* times = std::get_if<std::vector<double>>(&found->second)) return *times;
    const auto& numbers = std::get<std::vector<std::int64_t>>(found->second);
    return {numbers.begin(), numbers.end()};
  }
  std::vector<double> numbers;
  for (Index step = 0; step < field.dataset.shape[0]; ++step)
    numbers.push_back(static_cast<double>(step));
  return numbers;
}

/// How XDMF names an element type: `NumberType="Float" Precision="8"`.
std::string type_text(const DataType& type) {
  const std::string kind = type.kind() == Kind::floating         ? "Float"
                           : type.kind() == Kind::signed_integer ? "Int"
                                                                 : "UInt";
  return "NumberType=\"" + kind + "\" Precision=\"" + std::to_string(type.itemsize()) + '"';
}

class Writer {
 public:
  Writer(const std::string& path, const XdmfGrid& grid, const std::vector<Shown>& fields)
      : file_(escaped(name_in(path))), grid_(grid), fields_(fields) {}

  std::string document() {
    xml_ << "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n<Domain>\n";
    if (!fields_[0].steps) {
      grid(-1, 0);
    } else {
      xml_ << "<Grid Name=\"steps\" GridType=\"Collection\" CollectionType=\"Temporal\">\n";
      const std::vector<double> times = times_of(fields_[0]);
      for (std::size_t step = 0; step < times.size(); ++step)
        grid(static_cast<Index>(step), times[step]);
      xml_ << "</Grid>\n";
    }
    xml_ << "</Domain>\n</Xdmf>\n";
    return xml_.text();
  }

 private:
  /// @param step  -1: the dataset is no step
  void grid(Index step, double time) {
    std::vector<Index> points = fields_[0].shape;
    for (Index& extent : points) extent += grid_.cells ? 1 : 0;
    std::vector<double> origin =
        grid_.origin.empty() ? std::vector<double>(grid_.spacing.size(), 0) : grid_.origin;
    std::vector<double> spacing = grid_.spacing;
    if (is_plane()) {
      points = layer(points);
      origin.insert(origin.begin(), 0);
      spacing.insert(spacing.begin(), 1);
    }
    xml_ << "<Grid Name=\"grid\" GridType=\"Uniform\">\n";
    if (step >= 0) xml_ << "<Time Value=\"" << time << "\"/>\n";
    xml_ << "<Topology TopologyType=\"3DCoRectMesh\" Dimensions=\"" << list(points)
         << "\"/>\n<Geometry GeometryType=\"ORIGIN_DXDYDZ\">\n"
         << numbers(origin) << numbers(spacing) << "</Geometry>\n";
    for (const Shown& field : fields_) attribute(field, step);
    xml_ << "</Grid>\n";
  }
  /// ParaView puts a grid of two dimensions in the plane of y and z, which its view shows from the
  /// side. One layer of a grid of three is in the plane of x and y.
  bool is_plane() const { return grid_.spacing.size() == 2; }
  static std::vector<Index> layer(std::vector<Index> plane) {
    plane.insert(plane.begin(), 1);
    return plane;
  }
  static std::string numbers(const std::vector<double>& values) {
    return "<DataItem Dimensions=\"" + std::to_string(values.size()) +
           "\" NumberType=\"Float\" Precision=\"8\" Format=\"XML\">" + list(values) +
           "</DataItem>\n";
  }
  void attribute(const Shown& field, Index step) {
    xml_ << "<Attribute Name=\"" << escaped(field.name) << "\" AttributeType=\""
         << (field.vectors ? "Vector" : "Scalar") << "\" Center=\""
         << (grid_.cells ? "Cell" : "Node") << "\">\n";
    if (step < 0)
      data(field, is_plane() ? layer(field.dataset.shape) : field.dataset.shape);
    else
      step_of(field, step);
    xml_ << "</Attribute>\n";
  }
  /// One step of all that the dataset has.
  void step_of(const Shown& field, Index step) {
    std::vector<Index> start(field.dataset.shape.size(), 0), count = field.dataset.shape;
    const std::vector<Index> stride(start.size(), 1);
    start[0] = step;
    count[0] = 1;
    const std::vector<Index> extents =
        is_plane() ? count : std::vector<Index>(count.begin() + 1, count.end());
    xml_ << "<DataItem ItemType=\"HyperSlab\" Dimensions=\"" << list(extents) << "\" "
         << type_text(*field.dataset.type) << ">\n"
         << "<DataItem Dimensions=\"3 " << start.size() << "\" Format=\"XML\">" << list(start)
         << "  " << list(stride) << "  " << list(count) << "</DataItem>\n";
    data(field, field.dataset.shape);
    xml_ << "</DataItem>\n";
  }
  void data(const Shown& field, const std::vector<Index>& extents) {
    const std::string slash = field.name.rfind('/', 0) == 0 ? "" : "/";
    xml_ << "<DataItem Dimensions=\"" << list(extents) << "\" " << type_text(*field.dataset.type)
         << " Format=\"HDF\">" << file_ << ':' << slash << escaped(field.name) << "</DataItem>\n";
  }

  std::string file_;
  const XdmfGrid& grid_;
  const std::vector<Shown>& fields_;
  Text xml_;
};

/// Replaces a file at once; of a symbolic link, that to which it leads.
void replace(const std::string& given, const std::string& text) {
  const std::string path = detail::resolved(given);
  const std::string beside = path + ".daptor-part";
  std::ofstream file(beside, std::ios::binary);
  file << text;
  file.close();
  if (!file || std::rename(beside.c_str(), path.c_str()) != 0) {
    const int error = errno;
    std::remove(beside.c_str());
    detail::refuse_system("'" + path + "' cannot be written", error);
  }
}

}  // namespace

std::string write_xdmf(const std::string& path, const std::vector<std::string>& names,
                       const XdmfGrid& grid, const Comm& comm) {
  Call call(comm, "hdf5::write_xdmf");
  const detail::QuietErrors quiet;
  call.same("path", path);
  return call.check([&] {
    call.same("names", list(names));
    call.same("grid", list(grid.spacing) + ", " + list(grid.origin) +
                          (grid.cells ? ", cells" : ", points"));
    detail::require_path(path);
    require_grid(grid);
    std::string written = xdmf_path(path);
    if (comm.rank() > 0) return written;
    const std::vector<Shown> fields = all_shown(path, names, grid.spacing.size());
    replace(written, Writer(path, grid, fields).document());
    return written;
  });
}

}  // namespace daptor::hdf5

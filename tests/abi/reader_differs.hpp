// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <daptor/abi_reader.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "daptor/daptor.hpp"
#include "daptor/local_index_map.hpp"

namespace daptor::test {

/// The global index that the reader is to give; -1 where there is none.
inline Index global_or_none(const LocalDimensionMap& map, Index local) {
  try {
    const Index global = map.global_of(local);
    return global >= 0 && global < map.global_size() ? global : -1;
  } catch (const Malformed&) {
    return -1;
  }
}

/// What daptor/abi_reader.h says otherwise than Daptor about a dimension; empty if nothing.
inline std::string axis_differs(const daptor_axis& axis, const LocalDimensionMap& map) {
  const Dimension& dimension = map.dimension();
  std::ostringstream out;
  const auto compare = [&](const char* what, Index found, Index expected) {
    if (found != expected) out << what << ' ' << found << " for " << expected << "; ";
  };
  compare("dist_type", axis.dist_type, dimension.dist_type());
  compare("periodic", axis.periodic, dimension.periodic() ? 1 : 0);
  compare("size", axis.size, dimension.global_size());
  compare("grid_size", axis.grid_size, dimension.grid().size);
  compare("grid_rank", axis.grid_rank, dimension.grid().rank);
  compare("extent", axis.extent, map.local_extent());
  compare("owned", axis.owned, map.owned_count());
  compare("owned_offset", axis.owned_offset, map.owned_offset());
  if (dimension.as<Unstructured>() == nullptr) {
    const Padding communication = dimension.communication_padding();
    const Padding boundary = dimension.boundary_padding();
    compare("communication[0]", axis.communication[0], communication.lower);
    compare("communication[1]", axis.communication[1], communication.upper);
    compare("boundary[0]", axis.boundary[0], boundary.lower);
    compare("boundary[1]", axis.boundary[1], boundary.upper);
  }
  std::set<Index> locals;
  std::set<Index> globals = {-1, 0, 1, axis.size / 2, axis.size - 1, axis.size, axis.start};
  for (Index i = 0; i < std::min<Index>(map.local_extent(), 16); ++i) {
    locals.insert(i);
    locals.insert(map.local_extent() - 1 - i);
  }
  for (const Index local : locals) {
    compare("global", daptor_axis_global(&axis, local), global_or_none(map, local));
    compare("is_owned", daptor_axis_is_owned(&axis, local), map.is_owned(local) ? 1 : 0);
    globals.insert(daptor_axis_global(&axis, local));
  }
  for (const Index beyond : {Index{-1}, map.local_extent()}) {
    compare("global beyond the section", daptor_axis_global(&axis, beyond), -1);
    compare("is_owned beyond the section", daptor_axis_is_owned(&axis, beyond), 0);
  }
  for (const Index global : globals) {
    const bool index = global >= 0 && global < map.global_size();
    compare("local", daptor_axis_local(&axis, global),
            index ? map.local_of(global).value_or(-1) : -1);
  }
  return out.str();
}

/// What daptor/abi_reader.h says otherwise than Daptor about a struct; empty if nothing.
inline std::string reader_differs(const daptor_array& array) {
  const Report report = check_abi(array);
  const Finding* const error = report.first_error();
  const int expected = report.verdict() == Verdict::conforms    ? DAPTOR_CONFORMS
                       : report.verdict() == Verdict::malformed ? DAPTOR_MALFORMED
                                                                : DAPTOR_UNSUPPORTED;
  const daptor_fault fault = daptor_array_check(&array);
  std::ostringstream out;
  if (fault.verdict != expected || fault.rule != (error != nullptr ? error->rule : "") ||
      fault.dimension != (error != nullptr ? error->dimension : -1))
    out << "verdict " << fault.verdict << ", rule '" << fault.rule << "', dimension "
        << fault.dimension << " for\n"
        << report;
  if (!report || fault.verdict != DAPTOR_CONFORMS) return out.str();
  daptor_array copy = array;
  copy.struct_size = sizeof copy;
  copy.release = daptor_release_nothing;
  const LocalIndexMap map(import_abi(&copy));
  for (int d = 0; d < map.ndim(); ++d) {
    const std::string about = axis_differs(daptor_array_axis(&array, d), map.dimension(d));
    if (!about.empty()) out << "dimension " << d << ": " << about;
  }
  return out.str();
}

}  // namespace daptor::test

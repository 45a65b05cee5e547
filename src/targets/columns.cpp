// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/adapter/columns.hpp"

#include <string>

namespace daptor::adapter {

void add_distance_reason(const Form& form, const Columns& columns, int dimension,
                         Reasons& reasons) {
  if (columns.apart()) return;
  reasons.push_back(reason(rule_of(form, ".leading-dimension"), dimension,
                           "columns " + std::to_string(columns.distance) + " bytes apart",
                           "a multiple of " + std::to_string(columns.item) +
                               " bytes, at least the " + std::to_string(columns.length) +
                               " rows of a column",
                           form.columns_remedy));
}

}  // namespace daptor::adapter

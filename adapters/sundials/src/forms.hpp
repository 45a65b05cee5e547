// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "daptor/adapter/form.hpp"

namespace daptor::sundials::detail {

/// What the N_Vectors of import_nvector and of import_strided_nvector ask of an array.
const adapter::Form& nvector_form();
const adapter::Form& strided_nvector_form();

}  // namespace daptor::sundials::detail

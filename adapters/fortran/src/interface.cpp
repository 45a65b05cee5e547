// SPDX-License-Identifier: BSD-3-Clause
#include "daptor/fortran/interface.hpp"

#include "options.hpp"
#include "procedures.hpp"

/// Writes the interfaces and arguments of the module daptor.

namespace daptor::fortran {
template <>
inline constexpr const char* type_name<daptor_array> = "type(abi_array)";
template <>
inline constexpr const char* type_name<daptor_fortran_dimension> = "type(daptor_dimension)";
}  // namespace daptor::fortran

int main() {
  using namespace daptor;
  using namespace daptor::fortran;
  write_arguments<HaloOptions>("HALO", halo_arguments);
  write_arguments<RedistributionOptions>("COPY", copy_arguments);
  write_arguments<RedistributionOptions>("COPY_ONCE", copy_once_arguments);
  write_arguments<Transform>("TRANSFORM", transform_arguments);
  write_arguments<ValidateOptions>("VALIDATE", validate_arguments);
  DAPTOR_FORTRAN_FUNCTION(layout_block);
  DAPTOR_FORTRAN_FUNCTION(layout_create);
  DAPTOR_FORTRAN_FUNCTION(keep_list);
  DAPTOR_FORTRAN_FUNCTION(layout_on_process);
  DAPTOR_FORTRAN_FUNCTION(layout_ndim);
  DAPTOR_FORTRAN_FUNCTION(layout_bounds);
  DAPTOR_FORTRAN_FUNCTION(layout_grid);
  DAPTOR_FORTRAN_FUNCTION(is_text);
  DAPTOR_FORTRAN_FUNCTION(describe);
  DAPTOR_FORTRAN_FUNCTION(array_layout);
  DAPTOR_FORTRAN_FUNCTION(modified);
  DAPTOR_FORTRAN_FUNCTION(without_padding);
  DAPTOR_FORTRAN_FUNCTION(validate);
  DAPTOR_FORTRAN_FUNCTION(to_abi);
  DAPTOR_FORTRAN_FUNCTION(from_abi);
  DAPTOR_FORTRAN_FUNCTION(reduce);
  DAPTOR_FORTRAN_FUNCTION(place);
  DAPTOR_FORTRAN_FUNCTION(gather);
  DAPTOR_FORTRAN_FUNCTION(update_ghosts);
  DAPTOR_FORTRAN_FUNCTION(halo_create);
  DAPTOR_FORTRAN_FUNCTION(halo_begin);
  DAPTOR_FORTRAN_FUNCTION(halo_end);
  DAPTOR_FORTRAN_FUNCTION(halo_rebind);
  DAPTOR_FORTRAN_FUNCTION(redistribute);
  DAPTOR_FORTRAN_FUNCTION(redistribution_create);
  DAPTOR_FORTRAN_FUNCTION(redistribution_begin);
  DAPTOR_FORTRAN_FUNCTION(redistribution_end);
  DAPTOR_FORTRAN_FUNCTION(free);
  DAPTOR_FORTRAN_FUNCTION(share);
  DAPTOR_FORTRAN_FUNCTION(message_length);
  DAPTOR_FORTRAN_FUNCTION(message);
  DAPTOR_FORTRAN_FUNCTION(stop);
}

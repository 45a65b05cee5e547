! SPDX-License-Identifier: BSD-3-Clause
! Copies and ends of variables of the type OBJECT_TYPE. Names in capitals are macros, which
! daptor.F90 defines before each inclusion.

  impure elemental subroutine COPY_OBJECT(to, from)
    class(OBJECT_TYPE), intent(inout) :: to
    type(OBJECT_TYPE), intent(in) :: from

    to%object = share(from%object, to%object)
  end subroutine COPY_OBJECT

  subroutine FINALIZE_OBJECT(self)
    type(OBJECT_TYPE), intent(inout) :: self

    call c_free(self%object)
  end subroutine FINALIZE_OBJECT

  impure elemental subroutine FREE_OBJECT(self)
    class(OBJECT_TYPE), intent(inout) :: self

    call c_free(self%object)
  end subroutine FREE_OBJECT

  elemental function OBJECT_IS_EMPTY(self) result(empty)
    class(OBJECT_TYPE), intent(in) :: self
    logical :: empty

    empty = self%object == 0
  end function OBJECT_IS_EMPTY

#undef OBJECT_TYPE
#undef COPY_OBJECT
#undef FINALIZE_OBJECT
#undef FREE_OBJECT
#undef OBJECT_IS_EMPTY

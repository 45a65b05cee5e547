! SPDX-License-Identifier: BSD-3-Clause
!> Every public name of the modules with every keyword, for integers of both kinds and communicators
!> of both types: what programs write compiles. None of it is run.
program keywords_test
  use, intrinsic :: iso_c_binding
  use mpi_f08
  use daptor
  use daptor_abi, only: abi_array => daptor_array
#ifdef WITH_HDF5
  use daptor_hdf5
#endif
#ifdef WITH_PETSC
  use petscvec, only: tVec
  use daptor_petsc
#endif
  use checking
  implicit none

  integer, parameter :: long = c_int64_t
  type(daptor_layout) :: layout, other_layout
  type(daptor_array) :: a, b, list(2)
  type(daptor_halo) :: halo, other_halo
  type(daptor_redistribution) :: copy, other_copy
  type(daptor_dimension) :: d(2)
  type(abi_array) :: struct
#ifdef WITH_PETSC
  type(tVec) :: v
#endif
  type :: cell
    real(c_double) :: t, p
  end type cell
  type(cell), target :: cells(2, 2)
  real(c_double), target :: u(2, 2)
  real(c_double) :: x
  integer :: stat, i(2), j(2), n
  integer(long) :: k(2), l(2), handle
  logical :: yes
  logical, parameter :: no = .false.
  character(80) :: errmsg
  character(:), allocatable :: report

  call start_checks()
  if (ranks < 0) then
    call layouts()
    call arrays()
    call exchanges()
    call files_and_vecs()
  end if
  call check(all([daptor_malformed, daptor_unsupported, daptor_not_representable, &
                  daptor_producer_failed, daptor_library_failed, daptor_finalized, daptor_stale, &
                  daptor_invalid_argument] == [1, 2, 3, 4, 5, 6, 7, 8]), 'values of stat')
  call check(all([daptor_sum, daptor_min, daptor_max, daptor_insert] == [0, 1, 2, 3]), 'sums')
  call end_checks()

contains

  subroutine layouts()
    d(1) = daptor_block(size=4, grid=1, position=0, lower=1, upper=4, ghosts=1, padding=1, &
                        boundary=1, periodic=no)
    d(2) = daptor_block(size=4_long, grid=1, position=0, lower=1_long, upper=4_long)
    d = [daptor_undistributed(size=4), daptor_undistributed(size=4_long)]
    d = [daptor_cyclic(size=4, grid=1, position=0, block_size=2, origin=0), &
         daptor_cyclic(size=4_long, grid=1, position=0, block_size=2, origin=0)]
    d(1) = daptor_unstructured(size=4, indices=i, grid=1, position=0, owned=1, one_to_one=no)
    d(1) = daptor_unstructured(size=4_long, indices=k, grid=1, position=0, owned=1, one_to_one=no)
    d(1) = daptor_unstructured(size=4, indices=i, grid=1, position=0, owned=j)
    d(1) = daptor_unstructured(size=4_long, indices=k, grid=1, position=0, owned=[yes, no])
    call layout%block(shape=i, comm=MPI_COMM_WORLD, grid=i, position=i, ghosts=i, padding=i, &
                      boundary=i, periodic=[yes, no], lower=i, upper=j, stat=stat, errmsg=errmsg)
    call layout%block(shape=k, comm=MPI_COMM_WORLD%mpi_val, grid=i, position=i, ghosts=i, &
                      padding=i, boundary=i, periodic=[yes, no], lower=k, upper=l, stat=stat, &
                      errmsg=errmsg)
    call layout%create(dimensions=d, comm=MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    call layout%create(dimensions=d, comm=MPI_COMM_WORLD%mpi_val, stat=stat, errmsg=errmsg)
    call layout%on_process(whole=other_layout, process=0, stat=stat, errmsg=errmsg)
    call layout%owned_bounds(lower=i, upper=j, stat=stat, errmsg=errmsg)
    call layout%owned_bounds(lower=k, upper=l, stat=stat, errmsg=errmsg)
    call layout%local_bounds(lower=i, upper=j, stat=stat, errmsg=errmsg)
    call layout%local_bounds(lower=k, upper=l, stat=stat, errmsg=errmsg)
    call layout%process_grid(grid=i, position=j, stat=stat, errmsg=errmsg)
    n = layout%rank()
    yes = layout%is_empty()
    other_layout = layout
    call layout%free()
  end subroutine layouts

  subroutine arrays()
    call a%describe(values=u, layout=layout, stat=stat, errmsg=errmsg)
    call a%describe_readonly(values=u, layout=layout, stat=stat, errmsg=errmsg)
    call a%describe_component(cells=cells, component=cells(1, 1)%p, layout=layout, stat=stat, &
                              errmsg=errmsg)
    call a%validate(conforms=yes, report=report, metadata=no, strict=no, stat=stat, errmsg=errmsg)
    call a%stale_padding(stale=yes, report=report, star=no, through_host=no, &
                         by_messages=no, stat=stat, &
                         errmsg=errmsg)
    call a%modified(stat=stat, errmsg=errmsg)
    call a%without_padding(inside=b, stat=stat, errmsg=errmsg)
    call a%get_layout(layout=layout, stat=stat, errmsg=errmsg)
    call a%to_abi(struct=struct, stat=stat, errmsg=errmsg)
    call a%from_abi(struct=struct, comm=MPI_COMM_WORLD, stat=stat, errmsg=errmsg)
    call a%from_abi(struct=struct, comm=MPI_COMM_WORLD%mpi_val, stat=stat, errmsg=errmsg)
    call a%sum(value=x, mask=b, stat=stat, errmsg=errmsg)
    call a%mean(value=x, mask=b, stat=stat, errmsg=errmsg)
    call a%var(value=x, ddof=1.0_c_double, mask=b, stat=stat, errmsg=errmsg)
    call a%minval(value=x, mask=b, stat=stat, errmsg=errmsg)
    call a%maxval(value=x, mask=b, stat=stat, errmsg=errmsg)
    call a%norm2(value=x, mask=b, stat=stat, errmsg=errmsg)
    call a%dot_product(other=b, value=x, mask=b, stat=stat, errmsg=errmsg)
    call a%count(value=n, mask=b, stat=stat, errmsg=errmsg)
    call a%any(yes=yes, mask=b, stat=stat, errmsg=errmsg)
    call a%all(yes=yes, mask=b, stat=stat, errmsg=errmsg)
    call a%minloc(place=i, mask=b, stat=stat, errmsg=errmsg)
    call a%minloc(place=k, mask=b, stat=stat, errmsg=errmsg)
    call a%maxloc(place=i, mask=b, stat=stat, errmsg=errmsg)
    call a%maxloc(place=k, mask=b, stat=stat, errmsg=errmsg)
    call a%gather(whole=u, process=0, everywhere=no, stat=stat, errmsg=errmsg)
    handle = a%handle()
    call a%adopt(handle=handle)
    yes = a%is_empty()
    b = a
    call list%free()
    call daptor_conclude(code=0_c_int, stat=stat, errmsg=errmsg)
  end subroutine arrays

  subroutine exchanges()
    call halo%create(array=a, star=no, through_host=no, by_messages=no, &
                     stat=stat, errmsg=errmsg)
    call halo%create(arrays=list, star=no, through_host=no, by_messages=no, &
                     stat=stat, errmsg=errmsg)
    call halo%update(stat=stat, errmsg=errmsg)
    call halo%begin(stat=stat, errmsg=errmsg)
    call halo%accumulate(how=daptor_sum, stat=stat, errmsg=errmsg)
    call halo%begin_accumulate(how=daptor_sum, stat=stat, errmsg=errmsg)
    call halo%finish(stat=stat, errmsg=errmsg)
    call halo%rebind(array=a, stat=stat, errmsg=errmsg)
    call halo%rebind(arrays=list, stat=stat, errmsg=errmsg)
    yes = halo%is_empty()
    other_halo = halo
    call halo%free()
    call daptor_update_ghosts(array=a, star=no, through_host=no, by_messages=no, &
                     stat=stat, errmsg=errmsg)
    call copy%create(source=a, target=b, fill_ghosts=no, convert=no, read_from_any=no, &
                     buffer_bytes=0_long, through_host=no, by_messages=no, stat=stat, errmsg=errmsg)
    call copy%create(sources=list, targets=list, fill_ghosts=no, convert=no, read_from_any=no, &
                     buffer_bytes=0_long, through_host=no, by_messages=no, stat=stat, errmsg=errmsg)
    call copy%run(scale=x, keep=x, stat=stat, errmsg=errmsg)
    call copy%run_back(scale=x, keep=x, stat=stat, errmsg=errmsg)
    call copy%begin(scale=x, keep=x, stat=stat, errmsg=errmsg)
    call copy%begin_back(scale=x, keep=x, stat=stat, errmsg=errmsg)
    call copy%finish(stat=stat, errmsg=errmsg)
    yes = copy%is_empty()
    other_copy = copy
    call copy%free()
    call daptor_redistribute(source=a, target=b, fill_ghosts=no, convert=no, read_from_any=no, &
                             through_host=no, by_messages=no, stat=stat, errmsg=errmsg)
  end subroutine exchanges

  subroutine files_and_vecs()
#ifdef WITH_HDF5
    call daptor_save(array=a, path='f', name='u', time=x, step=1, overwrite=no, boundary=no, &
                     read_from_any=no, no_sync=no, deflate=1, stat=stat, errmsg=errmsg)
    call daptor_append(array=a, path='f', name='u', time=x, number=n, at=1, steps=1, boundary=no, &
                       read_from_any=no, no_sync=no, deflate=1, stat=stat, errmsg=errmsg)
    call daptor_load(array=a, path='f', name='u', number=1, time=x, step=n, boundary=no, &
                     no_ghosts=no, convert=no, stat=stat, errmsg=errmsg)
#endif
#ifdef WITH_PETSC
    call daptor_import_vec(array=a, x=v, flat=no, readonly=no, trust_readonly=no, &
                           allow_overlap=no, local_to_global=no, ghosts=no, interior=no, &
                           stat=stat, errmsg=errmsg)
    call daptor_import_local_vec(array=a, x=v, flat=no, readonly=no, trust_readonly=no, stat=stat, &
                                 errmsg=errmsg)
    call daptor_export_vec(x=v, array=a, ghosts=no, readonly=no, stat=stat, errmsg=errmsg)
    call daptor_load_plugin(stat=stat, errmsg=errmsg)
#endif
  end subroutine files_and_vecs

end program keywords_test

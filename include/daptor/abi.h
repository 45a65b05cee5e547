// SPDX-License-Identifier: BSD-3-Clause
#ifndef DAPTOR_ABI_H
#define DAPTOR_ABI_H

/**
 * \file
 * One process's section of a distributed array as a plain C struct, so that components built by
 * different compilers and in different languages can hand arrays to each other. Neither side links
 * to Daptor: everything here is data, function pointers and inline functions. C99 and C++.
 *
 * A producer fills a daptor_array that the consumer provides. The consumer reads it, uses the
 * memory in place, and calls `release` exactly once when it is done. The struct has the keys of the
 * dimension dictionaries, in the form of the protocol version that it states (0.9 and 0.10 differ
 * in what `start`, `stop` and `padding` mean). It is a claim, not a proof: a consumer must check it
 * (daptor::import_abi does).
 *
 * docs/c-abi.md says what is guaranteed about the layout, and has examples in C and Fortran.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Value of `abi_version`. Another value means another layout. */
#define DAPTOR_ABI_VERSION 1

/** Maximum number of dimensions of an array (the limit of Python's buffer protocol). */
#define DAPTOR_MAX_NDIM 64

/** Size of `format` in bytes, including the terminating zero. */
#define DAPTOR_FORMAT_BYTES 16

/** Bit of `flags`: the memory must not be written. All other bits must be zero. */
#define DAPTOR_READ_ONLY 1u

/** Value of `device_type` for memory that the host can reach (DLPack's `kDLCPU`). */
#define DAPTOR_DEVICE_HOST 1

/** The purpose for which a consumer opens the memory. */
enum { DAPTOR_READ = 0, DAPTOR_WRITE = 1 };

/** What a callback returns; any other value counts as DAPTOR_FAILED. */
enum {
  DAPTOR_OK = 0,
  DAPTOR_STALE = 1, /**< the memory is no longer the one described */
  DAPTOR_FAILED = 2
};

/**
 * One dimension dictionary. A number that the distribution does not use is zero, and then counts as
 * an absent key; an entry in which everything is zero is the empty dictionary.
 */
typedef struct daptor_dimension {
  char dist_type;         /**< 'n', 'b', 'c' or 'u' */
  uint8_t periodic;       /**< 0 or 1 */
  uint8_t padded;         /**< 0 or 1: the `padding` key is present, even if both widths are 0 */
  uint8_t one_to_one;     /**< 0 or 1; 'u' */
  uint32_t has_owned;     /**< 0, 1 or 2; 'u': whether and how `owned` is given */
  int64_t size;           /**< global extent of the dimension */
  int64_t proc_grid_size; /**< 'b', 'c', 'u': at least 1 */
  int64_t proc_grid_rank; /**< 'b', 'c', 'u' */
  int64_t start;          /**< 'b', 'c': first global index, as the protocol version counts */
  int64_t stop;       /**< 'b': one past the last global index, as the protocol version counts */
  int64_t block_size; /**< 'c': at least 1 */
  int64_t padding[2]; /**< 'n', 'b': lower and upper width; zero if `padded` is 0 */
  const int64_t* indices; /**< 'u': the global indices of the section, in local order */
  int64_t indices_count;  /**< 'u': number of indices; equals the local extent */
  int64_t owned; /**< 'u', if `has_owned` is 1: this process owns that many indices at the front of
                      `indices`, the others are ghosts, which other processes own. If it is 2: the
                      number of `owned_positions`. Else zero */
  const int64_t* owned_positions; /**< 'u', if `has_owned` is 2: the positions in `indices`, counted
                                       from 0, that this process owns; else null */
} daptor_dimension;

/**
 * One process's section of a distributed array.
 *
 * Ownership: the holder of a struct whose `release` is not null owns the section, and must call
 * `release` once. The struct is moved by copying its `struct_size` bytes and setting `release` of
 * the source to null (daptor_array_move); it must therefore hold no pointer into itself. Everything
 * to which it points stays valid and unchanged until `release`.
 *
 * Callbacks get the current address of the struct. None of them may throw or unwind, and only
 * `modified` may communicate. `begin_access`, `end_access`, `modified` and `last_error` may be
 * null; consumers may call them from any thread, and from several threads at once.
 */
typedef struct daptor_array {
  uint32_t abi_version;    /**< DAPTOR_ABI_VERSION */
  uint32_t struct_size;    /**< bytes of this struct as its producer knows it */
  uint32_t dimension_size; /**< bytes from one entry of `dimensions` to the next */
  uint32_t flags;          /**< DAPTOR_READ_ONLY or 0 */

  int32_t protocol_version[3]; /**< major, minor, patch: {0, 9, 0} or {0, 10, 0} */
  int32_t ndim;                /**< dimensions, distributed or not; in [0, DAPTOR_MAX_NDIM] */

  int32_t device_type; /**< place of the memory, in DLPack's numbering: DAPTOR_DEVICE_HOST */
  int32_t device_id;

  char format[DAPTOR_FORMAT_BYTES]; /**< PEP 3118 format of one element, zero-terminated: "d" */
  int64_t itemsize;                 /**< bytes of one element */
  const int64_t* shape;             /**< `ndim` local extents, all padding included */
  const int64_t* byte_strides;      /**< `ndim` strides in bytes; null: C order without gaps */
  void* data;                       /**< element whose local indices are all zero, also on a
                                         device; null for a description without memory, or without
                                         elements */

  const daptor_dimension* dimensions; /**< `ndim` entries, `dimension_size` bytes apart */

  /** Frees everything and sets `release` itself to null. Process-local: must not communicate.
      Null: the struct holds no section (it was moved, released or never filled). */
  void (*release)(struct daptor_array* self);
  /** Called after the consumer wrote to the memory: invalidates caches. Logically collective over
     the processes of the array, even if they wrote nothing. Returns DAPTOR_OK or DAPTOR_FAILED. */
  int32_t (*modified)(struct daptor_array* self);
  /** Opens the memory at `data` for DAPTOR_READ or DAPTOR_WRITE until the matching `end_access`.
      Returns DAPTOR_OK, DAPTOR_STALE if the memory is no longer at `data`, or DAPTOR_FAILED.
      Process-local. Null: the memory is always accessible, and `end_access` is null too. */
  int32_t (*begin_access)(struct daptor_array* self, int32_t access);
  /** Ends what a successful `begin_access` with the same `access` began. Process-local. The end of
      an access for DAPTOR_WRITE does not mean that something was written, for consumers open the
      memory to find out whether they may write: only `modified` says so. */
  void (*end_access)(struct daptor_array* self, int32_t access);
  /** The reason why the last failed callback on this thread failed; valid until the next call. */
  const char* (*last_error)(struct daptor_array* self);

  void* private_data; /**< for the producer only */

  uint64_t stream; /**< the queue of the device on which the producer's work on `data` is queued, by
                        the number that Python's array API gives it: the address of the device
                        library's handle, or 1 and 2 for CUDA's default streams. A consumer orders
                        its own work behind it. 0: all work is complete, as always for memory of
                        the host */
  uint64_t reserved[7]; /**< must be zero */
} daptor_array;

/**
 * Fills `array` with a description of host memory in C order and protocol version 0.9.0. Sets no
 * callbacks: the producer must then set `release` (and `private_data`), and `byte_strides` and
 * `flags` if they differ.
 *
 * \param array      the struct to fill; its previous content is overwritten, not released
 * \param format     PEP 3118 format of an element, at most 15 characters
 * \param itemsize   bytes of an element
 * \param ndim       number of dimensions, in [0, DAPTOR_MAX_NDIM]
 * \param shape      `ndim` local extents, all padding included; referred to, not copied
 * \param dimensions `ndim` entries; referred to, not copied
 * \param data       element whose local indices are all zero; null if there are no elements, or
 *                   for a description without memory
 */
static inline void daptor_array_init(daptor_array* array, const char* format, int64_t itemsize,
                                     int32_t ndim, const int64_t* shape,
                                     const daptor_dimension* dimensions, void* data) {
  memset(array, 0, sizeof *array);
  array->abi_version = DAPTOR_ABI_VERSION;
  array->struct_size = sizeof *array;
  array->dimension_size = sizeof *dimensions;
  array->protocol_version[1] = 9;
  array->ndim = ndim;
  array->device_type = DAPTOR_DEVICE_HOST;
  strncpy(array->format, format, DAPTOR_FORMAT_BYTES - 1);
  array->itemsize = itemsize;
  array->shape = shape;
  array->dimensions = dimensions;
  array->data = data;
}

/*
 * Each of the functions below makes one dimension dictionary, for protocol version 0.9 and without
 * padding. They check nothing, because the consumer does. `size` is the global extent, `grid_size`
 * the number of processes along the dimension (at least 1), and `grid_rank` this process's number
 * along it, in [0, grid_size).
 */

/** A dimension that is whole on every process.
    \param size global extent */
static inline daptor_dimension daptor_undistributed(int64_t size) {
  daptor_dimension dimension;
  memset(&dimension, 0, sizeof dimension);
  dimension.dist_type = 'n';
  dimension.size = size;
  return dimension;
}

/** A block of global indices [start, stop), boundary padding included.
    \param size      global extent
    \param grid_size processes along the dimension
    \param grid_rank this process's number along it
    \param start     first global index that this process owns
    \param stop      one past the last; equal to `start` if it owns no index */
static inline daptor_dimension daptor_block(int64_t size, int64_t grid_size, int64_t grid_rank,
                                            int64_t start, int64_t stop) {
  daptor_dimension dimension = daptor_undistributed(size);
  dimension.dist_type = 'b';
  dimension.proc_grid_size = grid_size;
  dimension.proc_grid_rank = grid_rank;
  dimension.start = start;
  dimension.stop = stop;
  return dimension;
}

/** An even block: the first processes get the remainder, one index each.
    \param size      global extent
    \param grid_size processes along the dimension
    \param grid_rank this process's number along it */
static inline daptor_dimension daptor_even_block(int64_t size, int64_t grid_size,
                                                 int64_t grid_rank) {
  const int64_t whole = size / grid_size;
  const int64_t rest = size % grid_size;
  const int64_t start = grid_rank * whole + (grid_rank < rest ? grid_rank : rest);
  const int64_t stop = start + whole + (grid_rank < rest ? 1 : 0);
  return daptor_block(size, grid_size, grid_rank, start, stop);
}

/** Blocks that are dealt in turn, from any process on. The struct has no field for `origin`: the
    `start` of the processes says it.
    \param size       global extent
    \param grid_size  processes along the dimension
    \param grid_rank  this process's number along it
    \param block_size number of global indices in a block, at least 1
    \param origin     number, along the dimension, of the process that gets the first block, in
                      [0, grid_size) (ScaLAPACK's RSRC or CSRC); the same on all processes. Any
                      other number gives a start of -1, which every consumer refuses */
static inline daptor_dimension daptor_cyclic_from(int64_t size, int64_t grid_size,
                                                  int64_t grid_rank, int64_t block_size,
                                                  int64_t origin) {
  const int known = origin >= 0 && origin < grid_size;
  const int64_t turn = !known ? 0 : grid_rank - origin + (grid_rank < origin ? grid_size : 0);
  daptor_dimension dimension = daptor_undistributed(size);
  dimension.dist_type = 'c';
  dimension.proc_grid_size = grid_size;
  dimension.proc_grid_rank = grid_rank;
  dimension.block_size = block_size;
  /* turn * block_size, clipped to size without forming a product that may overflow. */
  dimension.start = turn != 0 && block_size > size / turn ? size : turn * block_size;
  if (!known) dimension.start = -1;
  return dimension;
}

/** Blocks that are dealt in turn; process 0 gets the first block.
    \param size       global extent
    \param grid_size  processes along the dimension
    \param grid_rank  this process's number along it
    \param block_size number of global indices in a block, at least 1 */
static inline daptor_dimension daptor_cyclic(int64_t size, int64_t grid_size, int64_t grid_rank,
                                             int64_t block_size) {
  return daptor_cyclic_from(size, grid_size, grid_rank, block_size, 0);
}

/** A list of global indices.
    \param size      global extent
    \param grid_size processes along the dimension
    \param grid_rank this process's number along it
    \param indices   the global indices of the section, in local order; referred to, not copied
    \param count     number of indices; the local extent of the dimension */
static inline daptor_dimension daptor_unstructured(int64_t size, int64_t grid_size,
                                                   int64_t grid_rank, const int64_t* indices,
                                                   int64_t count) {
  daptor_dimension dimension = daptor_undistributed(size);
  dimension.dist_type = 'u';
  dimension.proc_grid_size = grid_size;
  dimension.proc_grid_rank = grid_rank;
  dimension.indices = indices;
  dimension.indices_count = count;
  return dimension;
}

/** A list that begins with the indices that this process owns; the others are ghosts.
    \param size      global extent: number of owned indices of all processes together
    \param grid_size processes along the dimension
    \param grid_rank this process's number along it
    \param indices   owned indices, then ghosts; referred to, not copied
    \param count     number of all indices; the local extent of the dimension
    \param owned     number of owned indices, in [0, count] */
static inline daptor_dimension daptor_owned_then_ghosts(int64_t size, int64_t grid_size,
                                                        int64_t grid_rank, const int64_t* indices,
                                                        int64_t count, int64_t owned) {
  daptor_dimension dimension = daptor_unstructured(size, grid_size, grid_rank, indices, count);
  dimension.has_owned = 1;
  dimension.owned = owned;
  return dimension;
}

/** A list of which this process owns some indices; the others are ghosts.
    \param size      global extent: number of owned indices of all processes together
    \param grid_size processes along the dimension
    \param grid_rank this process's number along it
    \param indices   global indices in local order; referred to, not copied
    \param count     number of all indices; the local extent of the dimension
    \param positions positions in `indices` of the owned ones, each once, in [0, count); referred
   to, not copied \param owned     number of positions */
static inline daptor_dimension daptor_owned_at(int64_t size, int64_t grid_size, int64_t grid_rank,
                                               const int64_t* indices, int64_t count,
                                               const int64_t* positions, int64_t owned) {
  daptor_dimension dimension = daptor_unstructured(size, grid_size, grid_rank, indices, count);
  dimension.has_owned = 2;
  dimension.owned = owned;
  dimension.owned_positions = positions;
  return dimension;
}

/* NOLINTBEGIN(modernize-use-nullptr): C has none */

/** Moves a section. Both structs must have the size of this header.
    \param from holds no section afterwards: its `release` is null
    \param to   overwritten; a section that it held is not released */
static inline void daptor_array_move(daptor_array* from, daptor_array* to) {
  *to = *from;
  from->release = NULL;
}

/** Releases a section.
    \param array a struct; if it holds no section, there is no effect */
static inline void daptor_array_release(daptor_array* array) {
  if (array->release != NULL) array->release(array);
}

/** A `release` for memory that outlives every consumer, such as a static array. */
static inline void daptor_release_nothing(daptor_array* self) {
  self->release = NULL;
}

/* NOLINTEND(modernize-use-nullptr) */

#ifdef __cplusplus
}
#endif

#endif

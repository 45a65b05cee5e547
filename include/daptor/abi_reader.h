// SPDX-License-Identifier: BSD-3-Clause
#ifndef DAPTOR_ABI_READER_H
#define DAPTOR_ABI_READER_H

/**
 * \file
 * Reads one process's section of a distributed array from the struct of daptor/abi.h, for consumers
 * that want to look at arrays and do not use Daptor: whether the description obeys the rules of the
 * protocol, local extents, which elements the process owns, and global indices. C99 and C++; copy
 * this file and abi.h into one folder.
 *
 * `daptor_array_check` comes first and gives the verdict that Daptor gives (daptor::check_abi).
 * After that, `daptor_array_axis` says what the process has of one dimension, in the same words for
 * both versions of the protocol. Nothing here communicates: whether the sections of all processes
 * make one array is proven by `daptor check` or daptor::validate.
 *
 * Example: 18 elements on two processes with a ghost cell on each inner edge, on process 1:
 *
 *     daptor_axis axis = daptor_array_axis(array, 0);
 *     axis.extent                   10: 9 elements and a copy of process 0's last one
 *     axis.start, axis.owned        9, 9: it owns [9, 18)
 *     daptor_axis_global(&axis, 0)  8, which process 0 owns
 *     daptor_axis_local(&axis, 9)   1
 *     daptor_axis_local(&axis, 8)   -1
 *
 * Names that begin with daptor_reader_ are not for users.
 */

#include <stdlib.h>

#include "abi.h"

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* NOLINTBEGIN(modernize-use-nullptr): C has none */

/** The verdict on a struct. */
enum {
  DAPTOR_CONFORMS = 0,
  DAPTOR_MALFORMED = 1, /**< breaks a rule */
  DAPTOR_UNSUPPORTED =
      2 /**< a version, distribution or element type that this header does not know */
};

/** What a check found. */
typedef struct daptor_fault {
  int32_t verdict;   /**< DAPTOR_CONFORMS, DAPTOR_MALFORMED or DAPTOR_UNSUPPORTED */
  int32_t dimension; /**< the dimension that is wrong; -1 if it is none in particular */
  const char* rule;  /**< the first broken rule, as `daptor rule` explains it ("B04",
                          "abi.reserved"); "" if the struct conforms */
} daptor_fault;

/**
 * What a process has of one dimension. Local indices count the section, communication padding
 * included: [0, extent). Of these the process owns [owned_offset, owned_offset + owned), unless
 * `owned_positions` lists them. Other elements are copies that other processes own.
 */
typedef struct daptor_axis {
  char dist_type;               /**< 'n', 'b', 'c' or 'u' */
  uint8_t periodic;             /**< 0 or 1 */
  int64_t size;                 /**< global extent */
  int64_t grid_size, grid_rank; /**< processes along the dimension, and this one's number */
  int64_t extent;               /**< local extent */
  int64_t owned;                /**< number of owned elements, boundary padding included */
  int64_t owned_offset;         /**< local index of the first owned element */
  int64_t start;            /**< 'n', 'b', 'c': first owned global index; `size` if there is none
                                 in a cyclic dimension */
  int64_t block_size;       /**< 'c' */
  int64_t communication[2]; /**< 'n', 'b': copies at the lower and upper end */
  int64_t boundary[2];      /**< 'n', 'b': owned elements at an external edge that hold boundary
                                 conditions */
  const int64_t* indices;   /**< 'u': the global index of each element; the producer's list */
  const int64_t* owned_positions; /**< 'u': the local indices that are owned, in any order; null if
                                       they are a run */
} daptor_axis;

/* ---- Numbers and collected faults ---- */

static inline int daptor_reader_add(int64_t a, int64_t b, int64_t* sum) {
  if (b > 0 ? a > INT64_MAX - b : a < INT64_MIN - b) return 0;
  *sum = a + b;
  return 1;
}

static inline int daptor_reader_multiply(int64_t a, int64_t b, int64_t* product) {
  if (a > 0 && b > 0 && a > INT64_MAX / b) return 0;
  if (a > 0 && b < 0 && b < INT64_MIN / a) return 0;
  if (a < 0 && b > 0 && a < INT64_MIN / b) return 0;
  if (a < 0 && b < 0 && b < INT64_MAX / a) return 0;
  *product = a * b;
  return 1;
}

/* The product of `count` numbers that are not negative, 0 if one is 0. Returns 0 if it has more
   than 63 bits. */
static inline int daptor_reader_product(const int64_t* factors, int32_t count, int64_t* product) {
  int fits = 1;
  *product = 1;
  for (int32_t d = 0; d < count; ++d) {
    if (factors[d] == 0) {
      *product = 0;
      return 1;
    }
    fits = fits && daptor_reader_multiply(*product, factors[d], product);
  }
  return fits;
}

/* The first fault of each kind. An unsupported part decides before a malformed one, because the
   rules cannot be judged where the version or type is unknown. */
typedef struct daptor_reader_faults {
  daptor_fault malformed, unsupported;
} daptor_reader_faults;

/* Notes a broken rule; returns 0. */
static inline int daptor_reader_malformed(daptor_reader_faults* faults, const char* rule,
                                          int32_t dimension) {
  const daptor_fault fault = {DAPTOR_MALFORMED, dimension, rule};
  if (faults->malformed.verdict == DAPTOR_CONFORMS) faults->malformed = fault;
  return 0;
}

static inline int daptor_reader_unsupported(daptor_reader_faults* faults, const char* rule,
                                            int32_t dimension) {
  const daptor_fault fault = {DAPTOR_UNSUPPORTED, dimension, rule};
  if (faults->unsupported.verdict == DAPTOR_CONFORMS) faults->unsupported = fault;
  return 0;
}

static inline daptor_fault daptor_reader_verdict(const daptor_reader_faults* faults) {
  return faults->unsupported.verdict != DAPTOR_CONFORMS ? faults->unsupported : faults->malformed;
}

/* ---- The struct itself: rules abi.* ---- */

typedef struct daptor_reader_alignment {
  char byte;
  int64_t word;
} daptor_reader_alignment;

static inline int daptor_reader_aligned(const void* pointer) {
  return (uintptr_t)pointer % offsetof(daptor_reader_alignment, word) == 0;
}

/* A size of more than 4096 bytes is no later version of a struct, it is garbage. */
static inline int daptor_reader_plausible(uint32_t size, size_t least) {
  return size >= least && size <= 4096 && size % offsetof(daptor_reader_alignment, word) == 0;
}

static inline int daptor_reader_host(int32_t device_type) {
  /* DLPack's kDLCPU, kDLCUDAHost and kDLROCMHost */
  return device_type == DAPTOR_DEVICE_HOST || device_type == 3 || device_type == 11;
}

/* A list of `count` elements that will be read. */
static inline void daptor_reader_list(daptor_reader_faults* faults, const char* rule,
                                      const void* list, int64_t count, int32_t dimension) {
  if ((count > 0 && list == NULL) || !daptor_reader_aligned(list))
    daptor_reader_malformed(faults, rule, dimension);
}

/* Entry `d` of the dimensions, of which a later version may have larger ones. */
static inline const daptor_dimension* daptor_reader_entry(const daptor_array* array, int32_t d) {
  const char* bytes = (const char*)(const void*)array->dimensions;
  return (const daptor_dimension*)(const void*)(bytes + (size_t)d * array->dimension_size);
}

static inline void daptor_reader_check_entry(const daptor_dimension* entry, int32_t d,
                                             daptor_reader_faults* faults) {
  const int64_t most = INT64_MAX / 8;
  if (entry->has_owned > 2 || (entry->has_owned != 2 && entry->owned_positions != NULL))
    daptor_reader_malformed(faults, "abi.owned", d);
  if ((entry->has_owned == 2 && (entry->owned < 0 || entry->owned > most)) ||
      (entry->has_owned == 0 && entry->owned != 0))
    daptor_reader_malformed(faults, "abi.owned", d);
  else if (entry->has_owned == 2)
    daptor_reader_list(faults, "abi.owned", entry->owned_positions, entry->owned, d);
  if (entry->padded > 1 ||
      (entry->padded == 0 && (entry->padding[0] != 0 || entry->padding[1] != 0)))
    daptor_reader_malformed(faults, "abi.padding", d);
  if (entry->indices_count < 0 || entry->indices_count > most)
    daptor_reader_malformed(faults, "abi.indices", d);
  else
    daptor_reader_list(faults, "abi.indices", entry->indices, entry->indices_count, d);
}

static inline void daptor_reader_check_lists(const daptor_array* array,
                                             daptor_reader_faults* faults) {
  if (array->ndim < 0 || array->ndim > DAPTOR_MAX_NDIM) {
    daptor_reader_malformed(faults, "abi.ndim", -1);
    return;
  }
  daptor_reader_list(faults, "abi.shape", array->shape, array->ndim, -1);
  daptor_reader_list(faults, "abi.strides", array->byte_strides, 0, -1);
  daptor_reader_list(faults, "abi.dimensions", array->dimensions, array->ndim, -1);
  if (!daptor_reader_plausible(array->dimension_size, sizeof(daptor_dimension)))
    daptor_reader_malformed(faults, "abi.dimension-size", -1);
  else if (array->dimensions != NULL && daptor_reader_aligned(array->dimensions))
    for (int32_t d = 0; d < array->ndim; ++d)
      daptor_reader_check_entry(daptor_reader_entry(array, d), d, faults);
}

/* Returns 0 if a fault was found. */
static inline int daptor_reader_check_struct(const daptor_array* array,
                                             daptor_reader_faults* faults) {
  if (array == NULL || !daptor_reader_aligned(array))
    return daptor_reader_malformed(faults, "abi.struct", -1);
  if (array->abi_version != DAPTOR_ABI_VERSION)
    return daptor_reader_unsupported(faults, "abi.version", -1);
  if (!daptor_reader_plausible(array->struct_size, sizeof *array))
    return daptor_reader_malformed(faults, "abi.struct-size", -1);
  if (array->release == NULL) daptor_reader_malformed(faults, "abi.released", -1);
  if ((array->flags & ~DAPTOR_READ_ONLY) != 0) daptor_reader_malformed(faults, "abi.flags", -1);
  if (array->stream != 0 && daptor_reader_host(array->device_type))
    daptor_reader_malformed(faults, "abi.stream", -1);
  for (size_t i = 0; i < sizeof array->reserved / sizeof array->reserved[0]; ++i)
    if (array->reserved[i] != 0) daptor_reader_malformed(faults, "abi.reserved", -1);
  if (memchr(array->format, '\0', sizeof array->format) == NULL)
    daptor_reader_malformed(faults, "abi.format", -1);
  if ((array->begin_access == NULL) != (array->end_access == NULL))
    daptor_reader_malformed(faults, "abi.access", -1);
  /* A struct that was released points to lists that may no longer exist. */
  if (array->release != NULL) daptor_reader_check_lists(array, faults);
  return faults->malformed.verdict == DAPTOR_CONFORMS;
}

/* ---- Elements and shape ---- */

/* Skips everything up to `end`, which must follow, and before it only `letters` if these are given;
   returns null otherwise. */
static inline const char* daptor_reader_until(const char* text, char end, const char* letters) {
  for (; *text != '\0' && *text != end; ++text)
    if (letters != NULL && strchr(letters, *text) == NULL) return NULL;
  return *text == end ? text + 1 : NULL;
}

/* Whether a text is a format of PEP 3118 at all, such as that of a record. If it is, its elements
   are unsupported; if it is not, it is an error of the producer. */
static inline int daptor_reader_is_format(const char* text) {
  int native = 1, elements = 0, waiting = 0, depth = 0;
  while (*text != '\0') {
    const char c = *text++;
    int element = 1;
    if (strchr(" \t\n", c) != NULL) continue;
    if (strchr("@=<>!^0123456789&(", c) != NULL) {
      if (strchr("@=<>!^", c) != NULL) native = c == '@' || c == '^';
      if (c == '(') text = daptor_reader_until(text, ')', "0123456789, ");
      element = 0;
      waiting = 1;
    } else if (c == ':') {
      if (!elements || waiting) return 0;
      text = daptor_reader_until(text, ':', NULL);
      element = 0;
    } else if (c == 'T' || c == 'X') {
      if (*text++ != '{') return 0;
      ++depth;
      element = c == 'X';
    } else if (c == '}') {
      if (depth-- <= 0) return 0;
    } else if (c == '-') {
      if (depth <= 0 || *text++ != '>') return 0;
      element = 0;
    } else if (c == 'Z') {
      if (*text == '\0' || strchr("fdg", *text++) == NULL) return 0;
    } else if (strchr("nN", c) != NULL) {
      if (!native) return 0;
    } else if (strchr("xcbB?hHiIlLqQefdgspPtuwO", c) == NULL) {
      return 0;
    }
    if (text == NULL) return 0;
    if (element) {
      elements = 1;
      waiting = 0;
    }
  }
  return elements && !waiting && depth == 0;
}

/* Bytes of an element of a format of one number; 0 for any other format. */
static inline int64_t daptor_reader_itemsize(const char* format) {
  int standard = 0, of_complex = 0;
  size_t size = 0;
  if (*format != '\0' && strchr("@=<>!^", *format) != NULL) {
    standard = *format != '@' && *format != '^';
    ++format;
  }
  if (*format == 'Z') {
    of_complex = 1;
    ++format;
  }
  if (format[0] == '\0' || format[1] != '\0') return 0;
  if (strchr("?bB", *format) != NULL) size = 1;
  if (*format == 'e') size = 2;
  if (strchr("hH", *format) != NULL) size = standard ? 2 : sizeof(short);
  if (strchr("iI", *format) != NULL) size = standard ? 4 : sizeof(int);
  if (strchr("lL", *format) != NULL) size = standard ? 4 : sizeof(long);
  if (strchr("qQ", *format) != NULL) size = 8;
  if (strchr("nN", *format) != NULL) size = standard ? 0 : sizeof(size_t);
  if (*format == 'f') size = sizeof(float);
  if (*format == 'd') size = sizeof(double);
  if (*format == 'g') size = sizeof(long double);
  if (of_complex) size = strchr("fdg", *format) != NULL ? 2 * size : 0;
  return (int64_t)size;
}

/* The strides of C order without gaps; returns 0 if the array has more than 2^63 - 1 bytes. */
static inline int daptor_reader_c_order(const daptor_array* array, int64_t* strides) {
  int64_t stride = array->itemsize, next = 0;
  int has_elements = 1;
  for (int32_t d = 0; d < array->ndim; ++d) has_elements = has_elements && array->shape[d] != 0;
  for (int32_t d = array->ndim - 1; d >= 0; --d) {
    strides[d] = stride;
    if (daptor_reader_multiply(stride, array->shape[d] > 0 ? array->shape[d] : 1, &next))
      stride = next;
    else if (has_elements)
      return 0;
  }
  return 1;
}

/* The bytes that elements occupy, before and behind `data`, together fit in 63 bits. */
static inline int daptor_reader_reach(const daptor_array* array, const int64_t* strides) {
  int64_t lowest = 0, highest = array->itemsize, reach = 0;
  for (int32_t d = 0; d < array->ndim; ++d) {
    if (!daptor_reader_multiply(array->shape[d] - 1, strides[d], &reach)) return 0;
    if (!daptor_reader_add(reach < 0 ? lowest : highest, reach, reach < 0 ? &lowest : &highest))
      return 0;
  }
  return daptor_reader_add(highest, lowest == INT64_MIN ? INT64_MAX : -lowest, &reach);
}

static inline int daptor_reader_check_buffer(const daptor_array* array,
                                             daptor_reader_faults* faults) {
  int64_t strides[DAPTOR_MAX_NDIM], bytes = array->itemsize;
  const int64_t itemsize = daptor_reader_itemsize(array->format);
  int fits = 1;
  if (itemsize == 0 && daptor_reader_is_format(array->format))
    return daptor_reader_unsupported(faults, "A26", -1);
  if (itemsize == 0 || array->itemsize != itemsize)
    return daptor_reader_malformed(faults, "T09", -1);
  if (array->byte_strides == NULL && !daptor_reader_c_order(array, strides))
    return daptor_reader_malformed(faults, "T10", -1);
  for (int32_t d = 0; d < array->ndim; ++d) {
    if (array->shape[d] < 0) return daptor_reader_malformed(faults, "T09", -1);
    if (array->byte_strides != NULL) strides[d] = array->byte_strides[d];
  }
  for (int32_t d = 0; d < array->ndim; ++d)
    if (array->shape[d] == 0) return 1;
  for (int32_t d = 0; d < array->ndim; ++d)
    fits = fits && daptor_reader_multiply(bytes, array->shape[d], &bytes);
  if (!fits) return daptor_reader_malformed(faults, "T10", -1);
  return daptor_reader_reach(array, strides) || daptor_reader_malformed(faults, "T09", -1);
}

/* ---- One dimension ---- */

/* Whether all is zero: the empty dictionary. */
static inline int daptor_reader_is_empty(const daptor_dimension* entry) {
  return entry->dist_type == '\0' && entry->periodic == 0 && entry->padded == 0 &&
         entry->one_to_one == 0 && entry->has_owned == 0 && entry->size == 0 &&
         entry->proc_grid_size == 0 && entry->proc_grid_rank == 0 && entry->start == 0 &&
         entry->stop == 0 && entry->block_size == 0 && entry->indices == NULL &&
         entry->indices_count == 0;
}

/* Number of owned elements at a place in the order in which blocks are dealt. */
static inline int64_t daptor_reader_cyclic_count(const daptor_axis* axis) {
  const int64_t blocks = axis->size / axis->block_size;
  const int64_t rounds = blocks / axis->grid_size * axis->block_size;
  const int64_t place = axis->start / axis->block_size;
  if (axis->start >= axis->size) return 0;
  if (place < blocks % axis->grid_size) return rounds + axis->block_size;
  return place == blocks % axis->grid_size ? rounds + axis->size % axis->block_size : rounds;
}

/* Which of the widths in the struct are communication padding. */
static inline void daptor_reader_place_padding(const daptor_dimension* entry, int is_0_9,
                                               daptor_axis* axis) {
  const int wraps = entry->periodic == 1 && is_0_9;
  const int lower = axis->grid_rank == 0 && !wraps;
  const int upper = axis->grid_rank == axis->grid_size - 1 && !wraps;
  (lower ? axis->boundary : axis->communication)[0] = entry->padding[0];
  (upper ? axis->boundary : axis->communication)[1] = entry->padding[1];
}

/* A block of 0.10, whose start and stop include communication padding, as one of 0.9. */
static inline int daptor_reader_without_padding(const daptor_dimension* entry, int32_t d,
                                                daptor_reader_faults* faults, daptor_axis* axis,
                                                int64_t* stop) {
  int64_t width = 0;
  if (axis->start == *stop) {
    axis->communication[0] = axis->communication[1] = axis->boundary[0] = axis->boundary[1] = 0;
    return 1;
  }
  if (axis->start < 0 || *stop < axis->start || *stop > entry->size) return 1; /* judged later */
  if (!daptor_reader_add(axis->communication[0], axis->communication[1], &width) ||
      width > *stop - axis->start)
    return daptor_reader_malformed(faults, "V05", d);
  axis->start += axis->communication[0];
  *stop -= axis->communication[1];
  return 1;
}

/* Whether the positions are different numbers in [0, bound). */
static inline int daptor_reader_distinct(const int64_t* positions, int64_t count, int64_t bound) {
  unsigned char* seen;
  int rising = 1, distinct = 1;
  for (int64_t i = 0; i < count; ++i) {
    if (positions[i] < 0 || positions[i] >= bound) return 0;
    rising = rising && (i == 0 || positions[i] > positions[i - 1]);
  }
  if (rising) return 1;
  seen = (unsigned char*)calloc((size_t)(bound / 8 + 1), 1);
  for (int64_t i = 0; i < count && distinct; ++i) {
    const unsigned char bit = (unsigned char)(1u << (positions[i] % 8));
    if (seen == NULL) { /* no memory: slowly */
      for (int64_t k = 0; k < i; ++k) distinct = distinct && positions[k] != positions[i];
      continue;
    }
    distinct = (seen[positions[i] / 8] & bit) == 0;
    seen[positions[i] / 8] |= bit;
  }
  free(seen);
  return distinct;
}

static inline void daptor_reader_list_axis(const daptor_dimension* entry, daptor_axis* axis) {
  axis->indices = entry->indices;
  axis->extent = entry->indices_count;
  axis->owned = entry->has_owned != 0 ? entry->owned : entry->indices_count;
  if (entry->has_owned != 2 || entry->owned == 0) return;
  axis->owned_positions = entry->owned_positions;
  axis->owned_offset = entry->owned_positions[0];
  for (int64_t i = 1; i < entry->owned; ++i)
    if (entry->owned_positions[i] < axis->owned_offset)
      axis->owned_offset = entry->owned_positions[i];
}

/* Reads what is judged by itself: keys and their types. Returns 0 if the dimension has no meaning.
   A block's `*stop` is that of what it owns; `known` says whether the buffer's extent is. */
static inline int daptor_reader_parse(const daptor_array* array, int32_t d, int known,
                                      daptor_reader_faults* faults, daptor_axis* axis,
                                      int64_t* stop) {
  const daptor_dimension* entry = daptor_reader_entry(array, d);
  const int is_0_9 = array->protocol_version[1] == 9;
  const int negative = entry->padding[0] < 0 || entry->padding[1] < 0;
  int sound = 1;
  memset(axis, 0, sizeof *axis);
  *stop = 0;
  axis->grid_size = 1;
  axis->dist_type = 'n';
  if (daptor_reader_is_empty(entry) && !is_0_9) {
    if (!known) return daptor_reader_malformed(faults, "T15", d);
    axis->size = array->shape[d];
    return 1;
  }
  axis->dist_type = entry->dist_type;
  axis->periodic = entry->periodic == 1;
  axis->size = entry->size;
  axis->block_size = entry->dist_type == 'c' ? entry->block_size : 0;
  if (entry->dist_type == '\0')
    sound = daptor_reader_malformed(faults, "D01", d);
  else if (strchr("nbcu", entry->dist_type) == NULL)
    sound = daptor_reader_unsupported(faults, "D04", d);
  if (entry->periodic > 1) daptor_reader_malformed(faults, "D23", d);
  if (!sound) return 0;
  if (entry->dist_type != 'n') {
    axis->grid_size = entry->proc_grid_size;
    axis->grid_rank = entry->proc_grid_rank;
  }
  if (entry->dist_type == 'u' && entry->one_to_one > 1)
    sound = daptor_reader_malformed(faults, "U07", d);
  if (negative) daptor_reader_malformed(faults, "P03", d);
  if (negative && strchr("nb", entry->dist_type) != NULL) return 0;
  if (entry->dist_type == 'n') {
    daptor_reader_place_padding(entry, is_0_9, axis);
  } else if (entry->dist_type == 'b') {
    axis->start = entry->start;
    *stop = entry->stop;
    if (axis->grid_rank >= 0 && axis->grid_rank < axis->grid_size) {
      daptor_reader_place_padding(entry, is_0_9, axis);
      if (!is_0_9) sound = daptor_reader_without_padding(entry, d, faults, axis, stop);
    }
  } else {
    if (!negative && (entry->padding[0] != 0 || entry->padding[1] != 0))
      daptor_reader_malformed(faults, "P18", d);
    axis->start = entry->dist_type == 'c' ? entry->start : 0;
    if (entry->dist_type == 'u') daptor_reader_list_axis(entry, axis);
  }
  return sound && entry->periodic <= 1;
}

/* Sets what the process owns and the local extent; returns 0 if that has more than 63 bits. */
static inline int daptor_reader_measure(daptor_axis* axis, int64_t stop) {
  const int empty =
      axis->dist_type == 'b' ? axis->start == stop && stop == axis->size : axis->size == 0;
  if (axis->dist_type == 'u') return 1;
  if (axis->dist_type == 'c') {
    if (axis->start > axis->size) axis->start = axis->size;
    axis->owned = axis->extent = daptor_reader_cyclic_count(axis);
    return 1;
  }
  axis->owned = axis->dist_type == 'b' ? stop - axis->start : axis->size;
  if (empty) /* has no padding, whatever the key says */
    axis->communication[0] = axis->communication[1] = axis->boundary[0] = axis->boundary[1] = 0;
  axis->owned_offset = axis->communication[0];
  return daptor_reader_add(axis->communication[0], axis->communication[1], &axis->extent) &&
         daptor_reader_add(axis->extent, axis->owned, &axis->extent);
}

static inline int daptor_reader_check_range(const daptor_axis* axis, int64_t stop, int32_t d,
                                            daptor_reader_faults* faults) {
  int sound = 1;
  if (axis->start < 0) sound = daptor_reader_malformed(faults, "B02", d);
  if (stop > axis->size) sound = daptor_reader_malformed(faults, "B08", d);
  if (axis->start == axis->size && stop != axis->start)
    sound = daptor_reader_malformed(faults, "E03", d);
  else if (stop < axis->start)
    sound = daptor_reader_malformed(faults, "B04", d);
  if (!sound) return 0;
  if (axis->grid_rank == 0 && axis->start != 0) sound = daptor_reader_malformed(faults, "B10", d);
  if (axis->grid_rank == axis->grid_size - 1 && stop != axis->size)
    sound = daptor_reader_malformed(faults, "B11", d);
  return sound;
}

static inline int daptor_reader_check_cyclic(const daptor_axis* axis, int32_t d,
                                             daptor_reader_faults* faults) {
  int64_t plain = 0;
  if (axis->block_size < 1) return daptor_reader_malformed(faults, "C05", d);
  if (axis->start < 0) return daptor_reader_malformed(faults, "C02", d);
  if (axis->start > axis->size) { /* a process without blocks may say where its first would be */
    const int fits = daptor_reader_multiply(axis->grid_rank, axis->block_size, &plain);
    return (fits && plain == axis->start) || daptor_reader_malformed(faults, "C03", d);
  }
  if (axis->start == axis->size) return 1;
  if (axis->start % axis->block_size != 0) return daptor_reader_malformed(faults, "C09", d);
  if (axis->start / axis->block_size >= axis->grid_size)
    return daptor_reader_malformed(faults, "C11", d);
  return 1;
}

static inline int daptor_reader_check_owned(const daptor_axis* axis, int32_t d,
                                            daptor_reader_faults* faults) {
  const int64_t bound = axis->owned > axis->extent ? axis->owned : axis->extent;
  int sound = 1;
  if (axis->size == 0 && axis->extent > 0) sound = daptor_reader_malformed(faults, "E05", d);
  if (axis->owned_positions != NULL &&
      !daptor_reader_distinct(axis->owned_positions, axis->owned, bound))
    return daptor_reader_malformed(faults, "owned.positions", d);
  if (axis->owned < 0 || axis->owned > axis->extent)
    sound = daptor_reader_malformed(faults, "owned.count", d);
  return sound;
}

/* Judges the values of a dimension that was read, and completes it. */
static inline int daptor_reader_judge(daptor_axis* axis, int64_t stop, int32_t d,
                                      daptor_reader_faults* faults) {
  int sound = 1;
  if (axis->size < 0) sound = daptor_reader_malformed(faults, "D08", d);
  if (axis->grid_size < 1)
    sound = daptor_reader_malformed(faults, "D13", d);
  else if (axis->grid_rank < 0 || axis->grid_rank >= axis->grid_size)
    sound = daptor_reader_malformed(faults, "D18", d);
  if (!sound) return 0;
  if (axis->dist_type == 'u') sound = daptor_reader_check_owned(axis, d, faults);
  if (axis->dist_type == 'c') sound = daptor_reader_check_cyclic(axis, d, faults);
  if (axis->dist_type == 'b') sound = daptor_reader_check_range(axis, stop, d, faults);
  if (!sound) return 0;
  return daptor_reader_measure(axis, stop) || daptor_reader_malformed(faults, "P13", d);
}

/* The rule that sets the local extent of a dimension. */
static inline const char* daptor_reader_extent_rule(const daptor_axis* axis) {
  if (axis->dist_type == 'n') return "N04";
  if (axis->dist_type == 'u') return axis->extent == 0 ? "E04" : "U06";
  if (axis->extent == 0) return "E02";
  return axis->dist_type == 'c' ? "C12" : "P13";
}

/* Compares the buffer's shape with what the dimensions say. */
static inline void daptor_reader_compare(const daptor_array* array, const int64_t* extents,
                                         const int64_t* grid, const char* const* rules,
                                         daptor_reader_faults* faults) {
  int64_t count = 0, processes = 0, in_buffer = 0;
  int sound = 1;
  if (!daptor_reader_product(extents, array->ndim, &count))
    sound = daptor_reader_malformed(faults, "T10", -1);
  if (!daptor_reader_product(grid, array->ndim, &processes))
    sound = daptor_reader_malformed(faults, "D14", -1);
  daptor_reader_product(array->shape, array->ndim, &in_buffer);
  /* Without elements the other extents may have any value. */
  if (!sound || (count == 0 && in_buffer == 0)) return;
  for (int32_t d = 0; d < array->ndim; ++d)
    if (array->shape[d] != extents[d]) daptor_reader_malformed(faults, rules[d], d);
}

/* ---- For users ---- */

/**
 * Judges a struct by the rules of the interface and all rules of the protocol that concern one
 * process. The struct is not changed and not taken. Process-local. Pointers that are not null are
 * trusted.
 *
 * \param array  a struct that a producer has filled
 * \returns the verdict with the first rule that decides it; warnings are left out
 */
static inline daptor_fault daptor_array_check(const daptor_array* array) {
  const daptor_fault none = {DAPTOR_CONFORMS, -1, ""};
  daptor_reader_faults faults;
  daptor_axis axis;
  const char* rules[DAPTOR_MAX_NDIM];
  int64_t extents[DAPTOR_MAX_NDIM], grid[DAPTOR_MAX_NDIM], stop = 0;
  int sound, version;
  faults.malformed = faults.unsupported = none;
  if (!daptor_reader_check_struct(array, &faults)) return daptor_reader_verdict(&faults);
  version = array->protocol_version[0] == 0 &&
            (array->protocol_version[1] == 9 || array->protocol_version[1] == 10);
  if (array->protocol_version[0] < 0 || array->protocol_version[1] < 0 ||
      array->protocol_version[2] < 0)
    version = daptor_reader_malformed(&faults, "T06", -1);
  else if (!version)
    daptor_reader_unsupported(&faults, "T07", -1);
  sound = daptor_reader_check_buffer(array, &faults);
  if (!version) return daptor_reader_verdict(&faults);
  /* First what each dimension says, then whether it may. */
  for (int32_t d = 0; d < array->ndim; ++d)
    daptor_reader_parse(array, d, sound, &faults, &axis, &stop);
  for (int32_t d = 0; d < array->ndim; ++d) {
    daptor_reader_faults again;
    again.malformed = again.unsupported = none;
    if (daptor_reader_parse(array, d, sound, &again, &axis, &stop))
      daptor_reader_judge(&axis, stop, d, &faults);
    extents[d] = axis.extent;
    grid[d] = axis.grid_size;
    rules[d] = daptor_reader_extent_rule(&axis);
  }
  if (daptor_reader_verdict(&faults).verdict == DAPTOR_CONFORMS)
    daptor_reader_compare(array, extents, grid, rules, &faults);
  return daptor_reader_verdict(&faults);
}

/**
 * What the process has of one dimension. Process-local. Takes O(1); O(n) for a list with
 * `owned_positions`.
 *
 * \param array  a struct that daptor_array_check accepted, and that has not been released
 * \param d      a dimension, in [0, array->ndim)
 * \returns the dimension; its lists are the producer's, valid until `release`
 */
static inline daptor_axis daptor_array_axis(const daptor_array* array, int32_t d) {
  daptor_reader_faults faults;
  daptor_axis axis;
  int64_t stop = 0;
  memset(&faults, 0, sizeof faults);
  daptor_reader_parse(array, d, 1, &faults, &axis, &stop);
  daptor_reader_measure(&axis, stop);
  return axis;
}

/** The stride of dimension `d`, in bytes, also where the producer left the strides out.
    \param array  a struct that daptor_array_check accepted */
static inline int64_t daptor_array_stride(const daptor_array* array, int32_t d) {
  int64_t strides[DAPTOR_MAX_NDIM];
  if (array->byte_strides != NULL) return array->byte_strides[d];
  daptor_reader_c_order(array, strides);
  return strides[d];
}

/**
 * The address of an element. Valid between `begin_access` and `end_access`, if the struct has them.
 *
 * \param array  a struct that daptor_array_check accepted
 * \param local  `ndim` local indices, each in [0, extent of its dimension)
 * \returns an address in the memory of `device_type`; null for a description without memory
 */
static inline void* daptor_array_element(const daptor_array* array, const int64_t* local) {
  char* bytes = (char*)array->data;
  if (bytes == NULL) return NULL;
  for (int32_t d = 0; d < array->ndim; ++d) bytes += local[d] * daptor_array_stride(array, d);
  return bytes;
}

/** Whether this process owns the element at a local index. Takes O(1); O(owned) with
    `owned_positions`.
    \param local  any number */
static inline int daptor_axis_is_owned(const daptor_axis* axis, int64_t local) {
  if (axis->owned_positions == NULL)
    return local >= axis->owned_offset && local - axis->owned_offset < axis->owned;
  for (int64_t i = 0; i < axis->owned; ++i)
    if (axis->owned_positions[i] == local) return 1;
  return 0;
}

/**
 * The global index of the element at a local index; in padding that of the element of which it is a
 * copy, around the end of a periodic dimension.
 *
 * \param local  a local index
 * \returns the global index; -1 if there is none: `local` is not in [0, extent), padding reaches
 *          past the end, or the list has a number there that is not in [0, size)
 */
static inline int64_t daptor_axis_global(const daptor_axis* axis, int64_t local) {
  const int64_t beyond = local - axis->owned_offset; /* from the first owned element */
  if (local < 0 || local >= axis->extent) return -1;
  if (axis->dist_type == 'u') {
    const int64_t global = axis->indices[local];
    return global >= 0 && global < axis->size ? global : -1;
  }
  if (axis->dist_type == 'c') {
    const int64_t round = local / axis->block_size;
    const int64_t block = axis->start / axis->block_size + round * axis->grid_size;
    return block * axis->block_size + local % axis->block_size;
  }
  if (beyond >= 0 && beyond < axis->owned) return axis->start + beyond;
  if (axis->periodic && axis->size > 0) {
    const int64_t rest = beyond % axis->size;
    const int64_t forward = rest < 0 ? rest + axis->size : rest;
    return axis->start >= axis->size - forward ? axis->start - (axis->size - forward)
                                               : axis->start + forward;
  }
  if (beyond > axis->size - 1 - axis->start || beyond < -axis->start) return -1;
  return axis->start + beyond;
}

/**
 * The local index of an element that this process owns. Takes O(1); O(n) in a list.
 *
 * \param global  any number
 * \returns the local index, of several the lowest; -1 if this process does not own the element
 */
static inline int64_t daptor_axis_local(const daptor_axis* axis, int64_t global) {
  int64_t found = -1;
  if (global < 0 || global >= axis->size || axis->owned == 0) return -1;
  if (axis->dist_type == 'u') {
    for (int64_t i = 0; i < axis->owned; ++i) {
      const int64_t at = axis->owned_positions != NULL ? axis->owned_positions[i] : i;
      if (axis->indices[at] == global && (found < 0 || at < found)) found = at;
    }
    return found;
  }
  if (axis->dist_type == 'c') {
    const int64_t block = global / axis->block_size;
    if (block % axis->grid_size != axis->start / axis->block_size) return -1;
    return block / axis->grid_size * axis->block_size + global % axis->block_size;
  }
  if (global < axis->start || global - axis->start >= axis->owned) return -1;
  return axis->owned_offset + (global - axis->start);
}

/**
 * The process along the dimension that owns a global index. What others own is not in one process's
 * struct: the caller gathers the `start` of all of them, by MPI_Allgather for example. Takes
 * O(log grid_size); O(grid_size) for 'c'.
 *
 * \param starts  `axis.start` of each process along the dimension, by `grid_rank`; not read for 'n'
 * \param global  in [0, axis->size)
 * \returns the owner's `grid_rank`; -1 for 'u', where only the lists of all processes know, and for
 *          a `global` that is not in [0, size)
 */
static inline int64_t daptor_axis_owner(const daptor_axis* axis, const int64_t* starts,
                                        int64_t global) {
  int64_t low = 0, high = axis->grid_size - 1, first;
  if (global < 0 || global >= axis->size || axis->dist_type == 'u') return -1;
  if (axis->dist_type == 'n') return 0;
  if (axis->dist_type == 'c') {
    first = global / axis->block_size % axis->grid_size * axis->block_size;
    for (low = 0; low <= high; ++low)
      if (starts[low] == first) return low;
    return -1;
  }
  while (low < high) { /* the last process that starts at `global` or before */
    const int64_t middle = high - (high - low) / 2;
    if (starts[middle] <= global)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* NOLINTEND(modernize-use-nullptr) */

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

#endif

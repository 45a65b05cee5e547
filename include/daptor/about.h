// SPDX-License-Identifier: BSD-3-Clause
#ifndef DAPTOR_ABOUT_H
#define DAPTOR_ABOUT_H

/**
 * \file
 * The library itself, for programs in C: what it was built from and with, and who gets its notes.
 * C99 and C++; link to daptor::core (pkg-config: daptor-core). C++ has daptor/about.hpp.
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * One fact about the library. Process-local, without MPI: may be called at any time, on any thread.
 *
 * \param name  "version", "commit", "compiler" and the others of daptor::configuration(). Null: all
 *              of them, a line "name: value" for each
 * \returns text that is valid until the process ends; null for a name that is not there
 */
const char* daptor_configuration(const char* name);

/**
 * Sets who gets notes, which are otherwise written to standard error (daptor::set_note_handler).
 * Process-local, on any thread.
 *
 * \param handler  gets a sentence without a line break, on the thread that has something to say;
 *                 must not throw. Null: standard error again
 * \param context  passed to the handler
 */
void daptor_set_note_handler(void (*handler)(const char* text, void* context), void* context);

#ifdef __cplusplus
}
#endif

#endif

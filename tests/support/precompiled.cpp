// SPDX-License-Identifier: BSD-3-Clause
// Contains no code: a precompiled header needs a target, which needs a source.

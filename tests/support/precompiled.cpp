// SPDX-License-Identifier: BSD-3-Clause
// Nothing of its own: a precompiled header wants a target, and that a source.

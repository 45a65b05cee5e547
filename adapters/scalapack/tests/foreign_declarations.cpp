// SPDX-License-Identifier: BSD-3-Clause
// A program has declarations of ScaLAPACK of its own, as vendors' headers do, which differ from
// each other: Daptor's public headers bring none, and the library exports none.

#include <cstdio>

#include <daptor/daptor.hpp>
#include <daptor/scalapack.hpp>

extern "C" {
struct Anything;
Anything* pdgetrf_(Anything*, Anything*);
Anything* pdgesv_(Anything*);
Anything* descinit_(Anything*);
Anything* numroc_(Anything*, Anything*);
Anything* Cblacs_gridinfo(Anything*);
Anything* Cblacs_gridinit(Anything*);
Anything* Csys2blacs_handle(Anything*);
}

int main() {
  const daptor::scalapack::BlockCyclic map(23, 2, 3, 1);
  std::printf("%lld\n", static_cast<long long>(map.local_count(0)));
  return map.local_count(0) == 7 ? 0 : 1;
}

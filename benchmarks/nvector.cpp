// SPDX-License-Identifier: BSD-3-Clause
// Times the operations of N_Vectors on arrays beside those of SUNDIALS' own parallel N_Vector.

#include <nvector/nvector_parallel.h>
#include <sundials/sundials_config.h>

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <daptor/sundials.hpp>

#include "groups.hpp"
#include "native.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

constexpr std::int64_t rows = 1000, columns = 1000;

/// Four vectors of one kind.
struct Vectors {
  Vectors() = default;
  explicit Vectors(N_Vector like) : own{N_VClone(like), N_VClone(like), N_VClone(like)} {
    all = {like, own[0], own[1], own[2]};
    for (std::size_t i = 0; i < all.size(); ++i)
      N_VConst(1.0 + 0.5 * static_cast<double>(i), all[i]);
  }
  ~Vectors() {
    for (N_Vector each : own) N_VDestroy(each);
  }
  Vectors(const Vectors&) = delete;
  Vectors& operator=(const Vectors&) = delete;

  N_Vector operator[](std::size_t i) const { return all[i]; }

  std::array<N_Vector, 4> all{};
  std::array<N_Vector, 3> own{};
};

struct Operation {
  const char* name;
  std::function<void(Vectors&)> run;
};

const std::vector<Operation>& operations() {
  static sunrealtype factors[] = {0.5, 0.25, 0.25}, sums[3];
  static const std::vector<Operation> all{
      {"N_VLinearSum", [](Vectors& v) { N_VLinearSum(0.5, v[0], 0.5, v[1], v[2]); }},
      {"N_VConst", [](Vectors& v) { N_VConst(2.0, v[3]); }},
      {"N_VProd", [](Vectors& v) { N_VProd(v[0], v[1], v[2]); }},
      {"N_VDiv", [](Vectors& v) { N_VDiv(v[0], v[1], v[2]); }},
      {"N_VScale", [](Vectors& v) { N_VScale(0.5, v[0], v[2]); }},
      {"N_VAbs", [](Vectors& v) { N_VAbs(v[0], v[2]); }},
      {"N_VInv", [](Vectors& v) { N_VInv(v[1], v[2]); }},
      {"N_VAddConst", [](Vectors& v) { N_VAddConst(v[0], 0.5, v[2]); }},
      {"N_VDotProd", [](Vectors& v) { N_VDotProd(v[0], v[1]); }},
      {"N_VMaxNorm", [](Vectors& v) { N_VMaxNorm(v[0]); }},
      {"N_VWrmsNorm", [](Vectors& v) { N_VWrmsNorm(v[0], v[1]); }},
      {"N_VMin", [](Vectors& v) { N_VMin(v[0]); }},
      {"N_VL1Norm", [](Vectors& v) { N_VL1Norm(v[0]); }},
      {"N_VLinearCombination, 3",
       [](Vectors& v) { N_VLinearCombination(3, factors, v.own.data(), v[0]); }},
      {"N_VDotProdMulti, 3", [](Vectors& v) { N_VDotProdMulti(3, v[0], v.own.data(), sums); }},
      {"N_VClone, N_VDestroy", [](Vectors& v) { N_VDestroy(N_VClone(v[0])); }},
  };
  return all;
}

/// A million doubles a rank; with `ghosts`, rows of a thousand between ghost cells.
daptor::DistArray grid(MPI_Comm comm, Memory& memory, bool ghosts) {
  const Ranks ranks(comm);
  const daptor::GridPosition line{ranks.size, ranks.rank};
  const daptor::BlockPadding padding({ghosts ? 1 : 0, ghosts ? 1 : 0}, {}, true);
  return daptor::describe(memory.data.get(), {daptor::block(rows * ranks.size, line, padding),
                                              daptor::block(columns, {1, 0}, padding)})
      .on(comm);
}

}  // namespace

void nvector(MPI_Comm comm, bool quick) {
  SUNContext context = nullptr;
#if SUNDIALS_VERSION_MAJOR >= 7
  SUNContext_Create(comm, &context);
#else
  SUNContext_Create(&comm, &context);
#endif
  const Table table(
      comm,
      "Operations of an N_Vector on an array of 1e6 doubles per rank, beside those of "
      "N_VNew_Parallel; with ghost cells, rows of 1000 between them",
      {"operation", "import_nvector", "goal 1.05", "import_strided_nvector, ghosts", "goal 1.05"});
  const Effort effort{quick ? 11 : 101, 1};
  const Ranks ranks(comm);
  {
    Memory plain(rows * columns), padded((rows + 2) * (columns + 2));
    const auto ours = daptor::sundials::import_nvector(grid(comm, plain, false), context);
    const auto strided =
        daptor::sundials::import_strided_nvector(grid(comm, padded, true), context);
    N_Vector theirs = N_VNew_Parallel(comm, rows * columns, rows * columns * ranks.size, context);
    {
      Vectors mine(ours.get()), between(strided.get()), other(theirs);
      for (const Operation& operation : operations()) {
        const auto ratio = [&](Vectors& vectors) {
          return alternate(
                     comm, effort, [&] { operation.run(vectors); }, [&] { operation.run(other); })
              .ratio();
        };
        const Quartiles same = ratio(mine), ghosts = ratio(between);
        table.row({operation.name, ratio_text(same), judged(same, 1.05), ratio_text(ghosts),
                   judged(ghosts, 1.05)});
      }
    }
    N_VDestroy(theirs);
  }
  SUNContext_Free(&context);
}

}  // namespace bench

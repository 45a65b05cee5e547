// SPDX-License-Identifier: BSD-3-Clause
// Times Daptor's operations on masked arrays beside those of Global Arrays, on the same memory.

#include <ga.h>
#include <macdecls.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include <daptor/enumerate.hpp>
#include <daptor/ga.hpp>
#include <daptor/lease.hpp>
#include <daptor/pack.hpp>
#include <daptor/scan.hpp>

#include "groups.hpp"
#include "support/pairs.hpp"

namespace bench {
namespace {

int made(int size, int type, int divided_as = 0) {
  if (divided_as != 0) {
    char name[] = "copy";
    return GA_Duplicate(divided_as, name);
  }
  const int handle = GA_Create_handle();
  GA_Set_data(handle, 1, &size, type);
  GA_Allocate(handle);
  return handle;
}

/// Global Arrays of one division, and their memory as described arrays.
struct GlobalArrays {
  GlobalArrays(int size, int type, int every)
      : g_source(made(size, type)),
        g_target(made(size, type, g_source)),
        g_mask(made(size, C_INT)) {
    source = daptor::ga::export_array(g_source);
    target = daptor::ga::export_array(g_target);
    mask = daptor::ga::export_array(g_mask);
    double one[] = {1, 0};
    int one_int = 1;
    GA_Fill(g_source, type == C_INT ? static_cast<void*>(&one_int) : static_cast<void*>(one));
    daptor::WriteLease lease(mask);
    auto* const bits = static_cast<int*>(lease.data());
    std::mt19937 random(static_cast<unsigned>(GA_Nodeid()) + 1);
    for (daptor::Index i = 0; i < mask.local_count(); ++i)
      bits[i] = random() % static_cast<unsigned>(every) == 0 ? 1 : 0;
    lease.close();
  }
  GlobalArrays(const GlobalArrays&) = delete;
  GlobalArrays& operator=(const GlobalArrays&) = delete;
  ~GlobalArrays() {
    for (const int handle : {g_source, g_target, g_mask}) GA_Destroy(handle);
  }

  int g_source, g_target, g_mask;
  daptor::DistArray source, target, mask;
};

struct Row {
  const char* name;
  std::function<void()> ours;
  std::function<void()> theirs;
};

/// @param size  number of elements
/// @param goal  of a ratio, for each operation by its name; 0 for none
void measure(const Table& table, MPI_Comm on, const char* type, int code, int every, int size,
             const Effort& effort, const std::function<double(const std::string&)>& goal) {
  const int last = size - 1;
  GlobalArrays a(size, code, every);
  daptor::ScanOptions exclusive;
  exclusive.exclusive = true;
  int count = 0;
  double start_double = 1, step_double = 2;
  int start_int = 1, step_int = 2;
  void* const start = code == C_INT ? static_cast<void*>(&start_int) : &start_double;
  void* const step = code == C_INT ? static_cast<void*>(&step_int) : &step_double;
  const std::vector<Row> rows = {
      {"enumerate", [&] { daptor::enumerate(a.target, 1, 2); },
       [&] { GA_Patch_enum(a.g_target, 0, last, start, step); }},
      {"scan_copy", [&] { daptor::scan_copy(a.source, a.target, a.mask); },
       [&] { GA_Scan_copy(a.g_source, a.g_target, a.g_mask, 0, last); }},
      {"scan_add", [&] { daptor::scan_add(a.source, a.target, a.mask); },
       [&] { GA_Scan_add(a.g_source, a.g_target, a.g_mask, 0, last, 0); }},
      {"scan_add, exclusive", [&] { daptor::scan_add(a.source, a.target, a.mask, exclusive); },
       [&] { GA_Scan_add(a.g_source, a.g_target, a.g_mask, 0, last, 1); }},
      {"pack", [&] { daptor::pack(a.source, a.mask, a.target); },
       [&] { GA_Pack(a.g_source, a.g_target, a.g_mask, 0, last, &count); }},
      {"unpack", [&] { daptor::unpack(a.source, a.mask, a.target); },
       [&] { GA_Unpack(a.g_source, a.g_target, a.g_mask, 0, last, &count); }}};
  for (const Row& row : rows) {
    const Pairs pairs = alternate(on, effort, row.ours, row.theirs);
    const double aim = goal(row.name);
    table.row({row.name, type, std::to_string(every), time_text(quartiles(pairs.ours)),
               ratio_text(pairs.ratio()), aim > 0 ? judged(pairs.ratio(), aim) : ""});
  }
}

}  // namespace

void sparse_ga(MPI_Comm comm, bool quick) {
  GA_Initialize();
  // Its scans and packs take their work memory from this.
  MA_init(C_DBL, 12000000, 1000000);
  {
    const Table table(comm, "Masked arrays of ten million elements, in the memory of Global Arrays",
                      {"operation", "elements", "a mark every", "Daptor", "ratio to Global Arrays",
                       "goal 0.5 (scans)"});
    const int size = quick ? 100000 : 10000000;
    const Effort effort{quick ? 5 : 15, 1, 2};
    const auto scans = [](const std::string& name) { return name.rfind("scan", 0) == 0 ? 0.5 : 0; };
    for (const int every : {2, 10}) {
      measure(table, comm, "double", C_DBL, every, size, effort, scans);
      measure(table, comm, "int", C_INT, every, size, effort, scans);
    }
  }
  {
    const Table table(comm, "Masked arrays of 4000 elements, in the memory of Global Arrays",
                      {"operation", "elements", "a mark every", "Daptor", "ratio to Global Arrays",
                       "goal 2 (pack)"});
    measure(table, comm, "double", C_DBL, 2, 4000, {quick ? 11 : 101, 5, 5},
            [](const std::string& name) { return name == "pack" ? 2 : 0; });
  }
  GA_Terminate();
}

}  // namespace bench

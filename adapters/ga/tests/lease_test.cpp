// SPDX-License-Identifier: BSD-3-Clause
// An export does not keep its Global Array alive: what comes after is Stale or Finalized.

#include <string>

#include <daptor/builders.hpp>
#include <daptor/halo_exchange.hpp>

#include "arrays.hpp"

namespace daptor::ga::test {
namespace {

TEST(Leases, X1_StaleAfterDestroy) {
  OwnedGlobalArray made({8 * world_size(), 3});
  const DistArray array = export_array(made.handle());
  ASSERT_TRUE(array.described());
  { const WriteLease lease(array); }
  made.destroy();
  EXPECT_THROW(ReadLease{array}, Stale);
  EXPECT_THROW(WriteLease{array}, Stale);
  expect_refused_everywhere<Stale>("stale", [&] { import_array(array); });
  EXPECT_NO_THROW(array.modified());
}

// GA has nothing that tells an array from the next one with its handle and its memory.
TEST(Leases, X1_StaleWhenTheNumberAndTheMemoryAreAnotherArrays) {
  const int size = 20000 * world_size();  // no small piece, which others would ask for
  bool same_memory = false;
  for (int attempt = 0; attempt < 50 && !same_memory; ++attempt) {
    OwnedGlobalArray first({size});
    const int handle = first.handle();
    const DistArray old = export_array(handle);
    first.destroy();
    const OwnedGlobalArray second({size});
    ASSERT_EQ(second.handle(), handle);
    EXPECT_THROW(ReadLease{old}, Stale);
    const DistArray fresh = export_array(handle);
    { const WriteLease lease(fresh); }
    EXPECT_THROW(ReadLease{old}, Stale);
    EXPECT_NE(old.buffer().state(), fresh.buffer().state());
    same_memory = daptor::test::greatest(old.data() == fresh.data() ? 1 : 0) == 1;
  }
#ifdef DAPTOR_ADDRESS_SANITIZED
  // On one process GA takes memory from the heap, and AddressSanitizer keeps that from being
  // reused.
  if (world_size() == 1) return;
#endif
  EXPECT_TRUE(same_memory) << "no rank got the same memory again";
}

/// What a lease says of an array that is no more what was exported.
std::string stale_text(const DistArray& array) {
  return daptor::test::expect_refused<Stale>("stale", [&] { const ReadLease lease(array); });
}

TEST(Leases, X1_TheErrorSaysWhatEndsAnExport) {
  OwnedGlobalArray made({8 * world_size()});
  const DistArray array = export_array(made.handle());
  char property[] = "read_only";
  GA_Set_property(made.handle(), property);
  const std::string text = stale_text(array);
  for (const char* const word :
       {"destroyed", "deallocated", "given a property", "Export it again, if it still exists."})
    EXPECT_NE(text.find(word), std::string::npos) << text;
  const DistArray readonly = export_array(made.handle());
  GA_Unset_property(made.handle());
  EXPECT_EQ(stale_text(readonly), text);
  made.destroy();
  EXPECT_EQ(stale_text(array), text);
}

TEST(Leases, X1_StaleAfterDeallocate) {
  const OwnedGlobalArray made({8 * world_size()});
  const DistArray array = export_array(made.handle());
  GA_Deallocate(made.handle());
  EXPECT_THROW(ReadLease{array}, Stale);
  ASSERT_NE(GA_Allocate(made.handle()), 0);
  EXPECT_THROW(ReadLease{array}, Stale);
  { const WriteLease lease(export_array(made.handle())); }
}

TEST(Leases, X6_TheEndOfAWriteIsSeenByGetsOfOthers) {
  const OwnedGlobalArray made({2 * world_size()});
  const DistArray array = export_array(made.handle());
  for (int round = 1; round <= 5; ++round) {
    {
      WriteLease lease(array);
      for (Index i = 0; i < 2; ++i) *element(array, {i}) = 100.0 * round + world_rank();
      lease.close();
    }
    int at = 2 * ((world_rank() + 1) % world_size());
    double found = 0;
    NGA_Get(made.handle(), &at, &at, &found, &at);
    EXPECT_EQ(found, 100.0 * round + (world_rank() + 1) % world_size());
    GA_Sync();
  }
}

TEST(Leases, ReadOnlyArraysAreReadOnly) {
  const OwnedGlobalArray made({8 * world_size()});
  const DistArray before = export_array(made.handle());
  char property[] = "read_only";
  GA_Set_property(made.handle(), property);
  EXPECT_THROW(ReadLease{before}, Stale);
  const DistArray array = export_array(made.handle());
  if (array.described()) {
    EXPECT_TRUE(array.readonly());
    EXPECT_THROW(WriteLease{array}, InvalidArgument);
  }
  GA_Unset_property(made.handle());
  const DistArray after = export_array(made.handle());
  EXPECT_FALSE(after.described() && after.readonly());
}

TEST(Ghosts, HaloExchangeUpdatesThemAsGaDoes) {
  Numbers widths{2, 1, 0};
  const auto ghosts = [&](int handle) { GA_Set_ghosts(handle, widths.data()); };
  const OwnedGlobalArray mine({12, 8, 3}, ghosts);
  const OwnedGlobalArray theirs({12, 8, 3}, ghosts);
  const DistArray a = export_array(mine.handle());
  const DistArray b = export_array(theirs.handle());
  ASSERT_TRUE(a.described() && b.described());
  write_labels(a, mine.shape());
  write_labels(b, theirs.shape());
  HaloExchange halo(a);
  halo.update();
  GA_Update_ghosts(theirs.handle());
  Index different = 0;
  for_each_index(a.local_shape(), [&](const std::vector<Index>& local) {
    if (*element(a, local) != *element(b, local)) ++different;
  });
  EXPECT_EQ(different, 0);
  GA_Sync();
}

}  // namespace
}  // namespace daptor::ga::test

// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <vector>

#include <Tpetra_Core.hpp>
#include <Tpetra_Map.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>

namespace daptor::test {

using Map = Tpetra::Map<>;
using MultiVector = Tpetra::MultiVector<double>;

/// A Map of `count` indices on this rank, rank after rank.
inline Teuchos::RCP<const Map> map_of(long long count) {
  return Teuchos::rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(),
                              static_cast<std::size_t>(count), 0, Tpetra::getDefaultComm()));
}

/// Records the vectors to which it is applied: y = 2 x + (global index), element by element.
class Probe : public Tpetra::Operator<double> {
 public:
  explicit Probe(Teuchos::RCP<const Map> map) : map_(std::move(map)) {}

  Teuchos::RCP<const Map> getDomainMap() const override { return map_; }
  Teuchos::RCP<const Map> getRangeMap() const override { return map_; }
  bool hasTransposeApply() const override { return true; }

  void apply(const MultiVector& X, MultiVector& Y, Teuchos::ETransp mode, double alpha,
             double beta) const override {
    ++applications;
    last_mode = mode;
    same_maps = X.getMap() == map_ && Y.getMap() == map_;
    if (before) before();
    const auto x = X.getData(0);
    const auto y = Y.getDataNonConst(0);
    x_data = x.getRawPtr();
    y_data = y.getRawPtr();
    columns = X.getNumVectors();
    one_and_zero = alpha == 1.0 && beta == 0.0;
    for (Teuchos_Ordinal i = 0; i < x.size(); ++i)
      y[i] = 2.0 * x[i] + static_cast<double>(map_->getGlobalElement(static_cast<int>(i)));
  }

  std::function<void()> before;
  mutable int applications = 0;
  mutable Teuchos::ETransp last_mode = Teuchos::NO_TRANS;
  mutable bool same_maps = false;
  mutable bool one_and_zero = false;
  mutable std::size_t columns = 0;
  mutable const double* x_data = nullptr;
  mutable const double* y_data = nullptr;

 private:
  Teuchos::RCP<const Map> map_;
};

}  // namespace daptor::test

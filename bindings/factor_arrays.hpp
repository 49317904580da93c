#pragma once

#include "arrays.hpp"
#include "credenet/models/factors_view.hpp"

namespace credenet::python {

// The factors of a model as arrays that Python owns.
struct FactorArrays {
  Vector<std::int32_t> n_states;
  Vector<std::int64_t> scope_offsets;
  Vector<std::int32_t> scopes;
  Vector<std::int64_t> table_offsets;
  Vector<double> tables;

  [[nodiscard]] FactorsView view_all() const {
    return {view(n_states), view(scope_offsets), view(scopes), view(table_offsets), view(tables)};
  }
};

}  // namespace credenet::python

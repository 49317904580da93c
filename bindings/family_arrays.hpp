#pragma once

#include "arrays.hpp"
#include "credenet/families/family_lists.hpp"

namespace credenet::python {

// Lists of families in arrays that Python owns; the arrays live at least as long as this.
struct FamilyArrays {
  Vector<std::int64_t> starts;
  Vector<double> scores;
  Vector<std::int64_t> offsets;
  Vector<std::int32_t> parents;

  operator FamilyLists() const {
    return {view(starts), view(scores), view(offsets), view(parents)};
  }
};

}  // namespace credenet::python

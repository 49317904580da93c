#include "fixed_pseudo_counts.hpp"

namespace credenet {
namespace {

// One pseudo-count in every cell.
class K2Scorer final : public FixedPseudoCounts<K2Scorer> {
 public:
  using FixedPseudoCounts::FixedPseudoCounts;
};

}  // namespace

const Score scores::k2{
    .name = "k2", .abilities = fixed_pseudo_counts(1.0), .make = &K2Scorer::make};

}  // namespace credenet

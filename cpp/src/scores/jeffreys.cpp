#include "fixed_pseudo_counts.hpp"

namespace credenet {
namespace {

// Half a pseudo-count in every cell.
class JeffreysScorer final : public FixedPseudoCounts<JeffreysScorer> {
 public:
  using FixedPseudoCounts::FixedPseudoCounts;
};

}  // namespace

const Score scores::jeffreys{
    .name = "jeffreys", .abilities = fixed_pseudo_counts(0.5), .make = &JeffreysScorer::make};

}  // namespace credenet

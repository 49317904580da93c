#pragma once

#include <cstddef>
#include <cstdint>

namespace credenet {

// The set of one member, of sets in a word.
[[nodiscard]] inline std::uint64_t bit(std::size_t member) { return std::uint64_t{1} << member; }

}  // namespace credenet

// Contingency tables on a graphics processor. Compiled at run time with CODE, the type of a code
// (unsigned char or unsigned short).

typedef unsigned int u32;
typedef unsigned long long u64;

#define ROWS 16  // that a thread counts at once

// The codes of ROWS neighbouring rows.
struct alignas(16) Codes {
  CODE of_row[ROWS];
};

// A block of threads counts some rows of one table and adds them to the table in global memory.
// Columns are n_padded codes long. The members of a table are variables; its cells are in mixed radix,
// last variable fastest. Counts are kept in shared memory, in 2^log_copies copies: neighbouring threads
// add to different copies, so that they do not wait for each other where most rows are in few cells.
// Tables that are too large for that are counted in global memory.
template <bool kShared>
__device__ void count(const CODE* __restrict__ columns, u64 n_padded, u64 n_rows,
                      const u64* __restrict__ n_states, const u64* __restrict__ members,
                      const u64* __restrict__ member_begins, const u64* __restrict__ table_begins,
                      const u64* __restrict__ places, u64 rows_of_block, u32 log_copies,
                      u32* __restrict__ tables) {
  extern __shared__ u32 shared[];
  const u64 table = places[blockIdx.x];
  const u64 first = member_begins[table];
  const u32 n_members = member_begins[table + 1] - first;
  const u32 n_cells = table_begins[table + 1] - table_begins[table];
  u32* const target = tables + table_begins[table];
  const u32 copy = threadIdx.x & ((1u << log_copies) - 1);
  if (kShared) {
    for (u32 at = threadIdx.x; at < n_cells << log_copies; at += blockDim.x) shared[at] = 0;
    __syncthreads();
  }
  const u64 begin = blockIdx.y * rows_of_block;
  const u64 end = min(begin + rows_of_block, n_rows);
  for (u64 row = begin + (u64)threadIdx.x * ROWS; row < end; row += (u64)blockDim.x * ROWS) {
    u32 cells[ROWS] = {};
    for (u32 at = 0; at < n_members; ++at) {
      const u64 variable = members[first + at];
      const u32 radix = n_states[variable];
      const Codes codes = *reinterpret_cast<const Codes*>(columns + variable * n_padded + row);
#pragma unroll
      for (int k = 0; k < ROWS; ++k) cells[k] = cells[k] * radix + codes.of_row[k];
    }
    if (row + ROWS <= end) {
#pragma unroll
      for (int k = 0; k < ROWS; ++k) {
        atomicAdd(kShared ? shared + (cells[k] << log_copies) + copy : target + cells[k], 1u);
      }
    } else {
      for (int k = 0; row + k < end; ++k) {
        atomicAdd(kShared ? shared + (cells[k] << log_copies) + copy : target + cells[k], 1u);
      }
    }
  }
  if (!kShared) return;
  __syncthreads();
  for (u32 cell = threadIdx.x; cell < n_cells; cell += blockDim.x) {
    u32 count = 0;
    for (u32 at = 0; at < 1u << log_copies; ++at) count += shared[(cell << log_copies) + at];
    if (count != 0) atomicAdd(target + cell, count);
  }
}

#define ARGUMENTS                                                                              \
  const CODE *columns, u64 n_padded, u64 n_rows, const u64 *n_states, const u64 *members,      \
      const u64 *member_begins, const u64 *table_begins, const u64 *places, u64 rows_of_block, \
      u32 log_copies, u32 *tables

extern "C" __global__ void count_shared(ARGUMENTS) {
  count<true>(columns, n_padded, n_rows, n_states, members, member_begins, table_begins, places,
              rows_of_block, log_copies, tables);
}

extern "C" __global__ void count_global(ARGUMENTS) {
  count<false>(columns, n_padded, n_rows, n_states, members, member_begins, table_begins, places,
               rows_of_block, log_copies, tables);
}

// The number of each row's cell in a table that is too large for the other kernel.
extern "C" __global__ void cell_numbers(const CODE* __restrict__ columns, u64 n_padded, u64 n_rows,
                                        const u64* __restrict__ n_states,
                                        const u64* __restrict__ members, u64 n_members,
                                        u64* __restrict__ cells) {
  const u64 row = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n_rows) return;
  u64 cell = 0;
  for (u64 at = 0; at < n_members; ++at) {
    cell = cell * n_states[members[at]] + columns[members[at] * n_padded + row];
  }
  cells[row] = cell;
}

// Codes as places among the states that occur.
extern "C" __global__ void renumber(CODE* column, u64 n_rows, const CODE* __restrict__ place_of) {
  const u64 row = (u64)blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n_rows) column[row] = place_of[column[row]];
}

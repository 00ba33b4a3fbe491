// What kernels need to be started: the entry of a kernel, atomic operations and a clock.
//
// A kernel is a function of its parameters, its thread and the number of threads:
//
//   struct FillParams { u32* words; u32 n; u32 value; };
//   FN void fill_thread(const FillParams& params, u32 thread, u32 n_threads) { ... }
//   KERNEL(fill, FillParams)
//
// KERNEL makes the entry `fill` of it: on a GPU a `__global__` function, on the host a loop over
// all threads, one after the other. So a thread must never wait for another one. The parameters are
// plain words (addresses, numbers) that the host program copies byte by byte.
#pragma once
#include "common.cuh"

#ifdef __CUDACC__

#define KERNEL_ENTRY(name, Params, bounds)                                                          \
  extern "C" __global__ void bounds name(const __grid_constant__ Params params) {                   \
    name##_thread(params, blockIdx.x * blockDim.x + threadIdx.x, gridDim.x * blockDim.x);           \
  }
#define KERNEL(name, Params) KERNEL_ENTRY(name, Params, )
// The same for a kernel whose blocks have at most `threads` threads, and of which `blocks` blocks
// should fit on a multiprocessor: the compiler chooses the number of registers accordingly.
#define KERNEL_BOUNDED(name, Params, threads, blocks)                                               \
  KERNEL_ENTRY(name, Params, __launch_bounds__(threads, blocks))

// All of these return the old value.
FN u32 atomic_add(u32* word, u32 value) { return atomicAdd(word, value); }
FN u64 atomic_add(u64* word, u64 value) { return atomicAdd(word, value); }
FN u32 atomic_max(u32* word, u32 value) { return atomicMax(word, value); }
FN u32 atomic_or(u32* word, u32 value) { return atomicOr(word, value); }
FN u32 atomic_exchange(u32* word, u32 value) { return atomicExch(word, value); }
FN u32 atomic_cas(u32* word, u32 expected, u32 value) { return atomicCAS(word, expected, value); }
FN u64 atomic_cas(u64* word, u64 expected, u64 value) { return atomicCAS(word, expected, value); }

// Reads a word that other threads change.
FN u32 atomic_load(const u32* word) { return *(const volatile u32*)word; }
FN u64 atomic_load(const u64* word) { return *(const volatile u64*)word; }

// What this thread wrote before is seen by other threads before what it writes afterwards.
FN void fence() { __threadfence(); }

// Nanoseconds since an unknown time; the clock of all threads is the same.
FN u64 now_ns() {
  u64 now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

#else

#define KERNEL(name, Params)                                                                        \
  extern "C" u32 tesuji_params_bytes_##name() { return sizeof(Params); }                            \
  extern "C" void tesuji_emulate_##name(const u8* bytes, u32 grid, u32 block) {                     \
    Params params;                                                                                  \
    __builtin_memcpy(&params, bytes, sizeof(Params));                                               \
    for (u32 thread = 0; thread < grid * block; thread++)                                           \
      name##_thread(params, thread, grid * block);                                                  \
  }
#define KERNEL_BOUNDED(name, Params, threads, blocks) KERNEL(name, Params)

template <class Word> FN Word host_exchange(Word* word, Word value) {
  Word old = *word;
  *word = value;
  return old;
}
FN u32 atomic_add(u32* word, u32 value) { return host_exchange(word, *word + value); }
FN u64 atomic_add(u64* word, u64 value) { return host_exchange(word, *word + value); }
FN u32 atomic_max(u32* word, u32 value) { return host_exchange(word, *word < value ? value : *word); }
FN u32 atomic_or(u32* word, u32 value) { return host_exchange(word, *word | value); }
FN u32 atomic_exchange(u32* word, u32 value) { return host_exchange(word, value); }
FN u32 atomic_cas(u32* word, u32 expected, u32 value) {
  return host_exchange(word, *word == expected ? value : *word);
}
FN u64 atomic_cas(u64* word, u64 expected, u64 value) {
  return host_exchange(word, *word == expected ? value : *word);
}
FN u32 atomic_load(const u32* word) { return *word; }
FN u64 atomic_load(const u64* word) { return *word; }
FN void fence() {}

// A microsecond passes with every look at the clock, so that work in slices of time is cut at the
// same places in every run.
FN u64 now_ns() {
  static thread_local u64 now = 0;
  return now += 1000;
}

#endif

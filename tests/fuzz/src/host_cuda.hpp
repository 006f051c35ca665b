// CUDA C on the host: what the emitted text uses of CUDA's built-ins. The threads of a block are fibers, switched where
// they wait; blocks run one after the other. Nothing here is fast, all of it is meant to be plainly right.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <tuple>
#include <ucontext.h>
#include <utility>
#include <vector>

// `asm volatile(…)` becomes a call with its text; `volatile T* p` stays what it is.
#define asm
#define volatile(...) host::inline_assembly(#__VA_ARGS__)
#define __global__
#define __device__
#define __constant__ static
#define __shared__ static
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))

struct dim3 { unsigned x, y, z; };
static dim3 threadIdx, blockIdx, blockDim, gridDim;

namespace host {

enum class State { Ready, Block, Warp, Done };

struct Fiber {
    ucontext_t context;
    State state = State::Ready;
    unsigned mask = 0;              // of the warp operation it waits in
    std::uint64_t value = 0;        // what it gives to the others
    std::uint64_t seen[32] = {};    // what they gave
    unsigned present = 0;           // who they were
};

constexpr std::size_t STACK = 128 * 1024;
static std::vector<Fiber> fibers;
static std::vector<std::unique_ptr<char[]>> stacks;
static ucontext_t scheduler;
static std::size_t current;
static std::function<void()> body;
static int votes, voters;           // at the last barrier of the block

static unsigned lane() { return (unsigned)(current % 32); }

// Gives the processor away; the scheduler comes back when the state is Ready again.
static void wait_as(State state) {
    Fiber& self = fibers[current];
    self.state = state;
    swapcontext(&self.context, &scheduler);
}

static void finish() {
    fibers[current].state = State::Done;
    setcontext(&scheduler);
}

static void run_body() {
    body();
    finish();
}

static void inline_assembly(const char* text) {
    if (std::strstr(text, "exit;")) finish();
    // What only forbids the compiler to look through has no instructions.
    if (std::strncmp(text, "\"\"", 2) != 0) std::abort();
}

// Lets those go on whose warp operation all lanes of its mask have come to. Lanes that are done are not waited for.
static bool release_warps() {
    bool any = false;
    for (std::size_t first = 0; first < fibers.size(); first += 32) {
        std::size_t count = std::min<std::size_t>(32, fibers.size() - first);
        for (std::size_t k = 0; k < count; ++k) {
            if (fibers[first + k].state != State::Warp) continue;
            unsigned mask = fibers[first + k].mask, present = 0;
            bool all = true;
            for (std::size_t other = 0; other < count; ++other) {
                const Fiber& fiber = fibers[first + other];
                if (!(mask >> other & 1u) || fiber.state == State::Done) continue;
                if (fiber.state == State::Warp && fiber.mask == mask) present |= 1u << other; else all = false;
            }
            if (!all) continue;
            for (std::size_t other = 0; other < count; ++other) {
                if (!(present >> other & 1u)) continue;
                Fiber& fiber = fibers[first + other];
                for (std::size_t from = 0; from < count; ++from) fiber.seen[from] = fibers[first + from].value;
                fiber.present = present;
            }
            for (std::size_t other = 0; other < count; ++other) {
                if (present >> other & 1u) fibers[first + other].state = State::Ready;
            }
            any = true;
        }
    }
    return any;
}

// Lets all go on if none is on its way to the barrier.
static bool release_block() {
    bool any = false;
    for (const Fiber& fiber : fibers) {
        if (fiber.state == State::Ready || fiber.state == State::Warp) return false;
        any |= fiber.state == State::Block;
    }
    if (any) votes = voters = 0;
    for (Fiber& fiber : fibers) {
        if (fiber.state != State::Block) continue;
        fiber.state = State::Ready;
        votes += fiber.value != 0;
        ++voters;
    }
    return any;
}

// Runs a block; false if all of its threads wait.
static bool run_block() {
    std::size_t count = (std::size_t)blockDim.x * blockDim.y * blockDim.z;
    fibers.assign(count, Fiber());
    while (stacks.size() < count) stacks.emplace_back(new char[STACK]);
    for (std::size_t k = 0; k < count; ++k) {
        getcontext(&fibers[k].context);
        fibers[k].context.uc_stack.ss_sp = stacks[k].get();
        fibers[k].context.uc_stack.ss_size = STACK;
        fibers[k].context.uc_link = nullptr;
        makecontext(&fibers[k].context, run_body, 0);
    }
    for (;;) {
        bool done = true;
        for (current = 0; current < count; ++current) {
            if (fibers[current].state == State::Ready) {
                std::size_t k = current;
                threadIdx = { (unsigned)(k % blockDim.x), (unsigned)(k / blockDim.x % blockDim.y),
                              (unsigned)(k / ((std::size_t)blockDim.x * blockDim.y)) };
                swapcontext(&scheduler, &fibers[current].context);
            }
            done &= fibers[current].state == State::Done;
        }
        if (done) return true;
        bool warps = release_warps(), block = release_block();
        if (!warps && !block) return false;
    }
}

// A value as bits, and back.
template <class T> std::uint64_t to_word(T x) { std::uint64_t word = 0; std::memcpy(&word, &x, sizeof(T)); return word; }
template <class T> T from_word(std::uint64_t word) { T x; std::memcpy(&x, &word, sizeof(T)); return x; }

static const Fiber& exchange(unsigned mask, std::uint64_t value) {
    fibers[current].mask = mask;
    fibers[current].value = value;
    wait_as(State::Warp);
    return fibers[current];
}

// The value of lane `from`, or one's own if there is none.
template <class T> T shuffle(unsigned mask, T x, unsigned from) {
    const Fiber& fiber = exchange(mask, to_word(x));
    return from < 32 && (fiber.present >> from & 1u) ? from_word<T>(fiber.seen[from]) : x;
}

// The lanes that bring the same value.
static unsigned same(unsigned mask, std::uint64_t value) {
    const Fiber& fiber = exchange(mask, value);
    unsigned bits = 0;
    for (unsigned from = 0; from < 32; ++from) {
        if ((fiber.present >> from & 1u) && fiber.seen[from] == value) bits |= 1u << from;
    }
    return bits;
}

// The first and the last lane of one's group of `width` lanes, as PTX says it; beyond them one keeps one's own value.
static unsigned first_lane(int width) { return lane() & (unsigned)(32 - width) & 31u; }
static unsigned last_lane(int width) { return first_lane(width) | (~(unsigned)(32 - width) & 31u); }
static unsigned not_above(unsigned from, unsigned last) { return from > last ? 32u : from; }

static void vote(int predicate) {
    fibers[current].value = predicate != 0;
    wait_as(State::Block);
}

static unsigned ballot(unsigned mask, int predicate) {
    const Fiber& fiber = exchange(mask, predicate != 0);
    unsigned bits = 0;
    for (unsigned from = 0; from < 32; ++from) {
        if ((fiber.present >> from & 1u) && fiber.seen[from] != 0) bits |= 1u << from;
    }
    return bits;
}

struct Outcome { std::uint32_t status, site; std::uint64_t block, thread; };

// Calls `kernel` with words for its parameters, and the environment as the last.
template <class Env, class... P, std::size_t... N>
void call(void (*kernel)(P...), const std::uint64_t* words, Env env, std::index_sequence<N...>) {
    using Types = std::tuple<P...>;
    kernel(from_word<std::tuple_element_t<N, Types>>(words[N])..., env);
}

template <class Record, class Env, class... P>
void launch(void (*kernel)(P...), const std::uint64_t* words, const std::uint32_t* grid, const std::uint32_t* block,
            Outcome* outcome) {
    Record record = {};
    record.launch = record.block = record.thread = ~0ull;
    body = [=, &record] { call(kernel, words, Env{&record, 0}, std::make_index_sequence<sizeof...(P) - 1>()); };
    gridDim = { grid[0], grid[1], grid[2] };
    blockDim = { block[0], block[1], block[2] };
    for (unsigned z = 0; z < grid[2]; ++z) for (unsigned y = 0; y < grid[1]; ++y) for (unsigned x = 0; x < grid[0]; ++x) {
        blockIdx = { x, y, z };
        if (!run_block()) outcome->status = 2;
    }
    if (record.launch != ~0ull) *outcome = { 1, record.site, record.block, record.thread };
}

}  // namespace host

#define HOST_ENTRY(name) \
    extern "C" void host_##name(const std::uint64_t* words, const std::uint32_t* grid, const std::uint32_t* block, \
                                host::Outcome* outcome) { \
        host::launch<wc_record, wc_env>(of_##name::name##_, words, grid, block, outcome); \
    }

// Barriers and fences.
static void __syncthreads() { host::wait_as(host::State::Block); }
static int __syncthreads_count(int p) { host::vote(p); return host::votes; }
static int __syncthreads_and(int p) { host::vote(p); return host::votes == host::voters; }
static int __syncthreads_or(int p) { host::vote(p); return host::votes != 0; }
static void __syncwarp(unsigned mask = 0xffffffffu) { host::exchange(mask, 0); }
static void __threadfence() {}
static void __threadfence_block() {}
static void __threadfence_system() {}

// Warp operations.
template <class T> T __shfl_sync(unsigned m, T x, int from, int w = 32) {
    return host::shuffle(m, x, host::first_lane(w) | ((unsigned)from & ~(unsigned)(32 - w) & 31u));
}
template <class T> T __shfl_up_sync(unsigned m, T x, unsigned by, int w = 32) {
    return host::shuffle(m, x, host::lane() < host::first_lane(w) + by ? 32u : host::lane() - by);
}
template <class T> T __shfl_down_sync(unsigned m, T x, unsigned by, int w = 32) {
    return host::shuffle(m, x, host::not_above(host::lane() + by, host::last_lane(w)));
}
template <class T> T __shfl_xor_sync(unsigned m, T x, int bits, int w = 32) {
    return host::shuffle(m, x, host::not_above(host::lane() ^ (unsigned)bits, host::last_lane(w)));
}
template <class T> unsigned __match_any_sync(unsigned m, T x) { return host::same(m, host::to_word(x)); }
template <class T> unsigned __match_all_sync(unsigned m, T x, int* all) {
    unsigned same = host::same(m, host::to_word(x));
    *all = same == host::fibers[host::current].present;
    return *all ? m : 0u;
}
static unsigned __ballot_sync(unsigned m, int predicate) { return host::ballot(m, predicate); }
static int __any_sync(unsigned m, int predicate) { return host::ballot(m, predicate) != 0; }
static int __all_sync(unsigned m, int predicate) { return host::ballot(m, !predicate) == 0; }

// Atomics: fibers change at waits only.
template <class T, class F> T host_update(T* p, F change) { T old = *p; *p = change(old); return old; }
template <class T> T atomicAdd(T* p, T x) { return host_update(p, [=](T old) { return (T)(old + x); }); }
template <class T> T atomicMin(T* p, T x) { return host_update(p, [=](T old) { return x < old ? x : old; }); }
template <class T> T atomicMax(T* p, T x) { return host_update(p, [=](T old) { return x > old ? x : old; }); }
template <class T> T atomicAnd(T* p, T x) { return host_update(p, [=](T old) { return (T)(old & x); }); }
template <class T> T atomicOr(T* p, T x) { return host_update(p, [=](T old) { return (T)(old | x); }); }
template <class T> T atomicXor(T* p, T x) { return host_update(p, [=](T old) { return (T)(old ^ x); }); }
template <class T> T atomicExch(T* p, T x) { return host_update(p, [=](T) { return x; }); }
template <class T> T atomicCAS(T* p, T c, T x) { return host_update(p, [=](T old) { return old == c ? x : old; }); }

static unsigned atomicInc(unsigned* p, unsigned limit) {
    return host_update(p, [=](unsigned old) { return old >= limit ? 0u : old + 1u; });
}
static unsigned atomicDec(unsigned* p, unsigned limit) {
    return host_update(p, [=](unsigned old) { return old == 0u || old > limit ? limit : old - 1u; });
}

// Loads, and pauses: the fibers of other blocks and of this one don't run meanwhile.
template <class T> T __ldg(const T* p) { return *p; }
static void __nanosleep(unsigned) {}

// Bits.
static int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
static int __popc(unsigned x) { return __builtin_popcount(x); }
static int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static int __ffs(int x) { return __builtin_ffs(x); }
static int __ffsll(long long x) { return __builtin_ffsll(x); }
static unsigned long long __brevll(unsigned long long x) {
    unsigned long long out = 0;
    for (int k = 0; k < 64; ++k) out |= (x >> k & 1ull) << (63 - k);
    return out;
}
static unsigned __brev(unsigned x) { return (unsigned)(__brevll(x) >> 32); }
static unsigned __float_as_uint(float x) { return (unsigned)host::to_word(x); }
static float __uint_as_float(unsigned x) { return host::from_word<float>(x); }
static long long __double_as_longlong(double x) { return (long long)host::to_word(x); }
static double __longlong_as_double(long long x) { return host::from_word<double>((std::uint64_t)x); }

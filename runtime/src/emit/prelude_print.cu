// What a launch prints: records of block, thread, what is printed, and the values' bits. The first record that doesn't
// fit sets `end` to one more than its place: none behind it is there.
struct wc_output { u64 used; u64 end; u64 dropped; u64 words[1]; };

static __device__ __noinline__ void wc_print(wc_env e, u64 number, const u64* words, u64 count) {
    wc_output* o = e.output;
    u64 size = 3ull + count, at = atomicAdd(&o->used, size);
    if (at + size > e.capacity) {
        if (at <= e.capacity) o->end = at + 1ull;
        atomicAdd(&o->dropped, 1ull);
        return;
    }
    u64* record = o->words + at;
    record[0] = wc_block_rank(); record[1] = wc_thread_rank(); record[2] = number;
    for (u64 k = 0; k < count; ++k) record[3 + k] = words[k];
}

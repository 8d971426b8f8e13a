// Makes a program that links this file allocate with jemalloc, and says how.
//
// Freed memory goes back to the system within seconds, from a thread of its own: a burst of large
// answers must not cost its memory for ever.
extern "C" {
extern const char* malloc_conf;
const char* malloc_conf = "background_thread:true,dirty_decay_ms:2000,muzzy_decay_ms:0";
}

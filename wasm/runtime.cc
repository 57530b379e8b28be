// What a module of WebAssembly has nobody to ask for.
//
// Threads: one.

/// Called for each object of a thread that is to be destroyed at its end; the only thread has none.
extern "C" int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }

// SPDX-License-Identifier: Apache-2.0
//
// Threads that wait for work as long as the library is loaded, since to begin one takes as long as
// to hash a few hundred kilobytes. The first call begins them, one for each processor but that of
// the caller. What waits yields for a while before it sleeps, as calls come in rows.

#ifndef LYDITE_CORES_BLAKE3_SW_POOL_H_
#define LYDITE_CORES_BLAKE3_SW_POOL_H_

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

// Beside the caller.
#define POOL_MOST 63
// Yields before a thread sleeps: some tens of microseconds.
#define POOL_YIELDS 100

struct pool {
  pthread_mutex_t busy;  // held by the caller whose work it is
  pthread_mutex_t lock;  // held by who changes what stands between here and `threads`
  pthread_cond_t begun;  // there is work, or the end of all
  pthread_cond_t left;   // a thread has come out of the work
  void (*_Atomic work)(void *given);
  void *given;
  atomic_uint inside;  // threads that have gone into the work
  atomic_bool over;
  unsigned threads;
  pthread_t thread[POOL_MOST];
};

#define POOL_NEW                                                         \
  {.busy = PTHREAD_MUTEX_INITIALIZER, .lock = PTHREAD_MUTEX_INITIALIZER, \
   .begun = PTHREAD_COND_INITIALIZER, .left = PTHREAD_COND_INITIALIZER}

static struct pool pool = POOL_NEW;

static void *pool_thread(void *none) {
  (void)none;
  for (;;) {
    for (int i = 0; i < POOL_YIELDS; i++) {
      if (atomic_load(&pool.work) != NULL || atomic_load(&pool.over)) break;
      sched_yield();
    }
    pthread_mutex_lock(&pool.lock);
    while (atomic_load(&pool.work) == NULL && !atomic_load(&pool.over)) {
      pthread_cond_wait(&pool.begun, &pool.lock);
    }
    void (*const work)(void *) = atomic_load(&pool.work);
    void *const given = pool.given;
    if (work != NULL) atomic_fetch_add(&pool.inside, 1);
    pthread_mutex_unlock(&pool.lock);
    if (work == NULL) return NULL;
    work(given);
    pthread_mutex_lock(&pool.lock);
    // Who comes out has found that nothing is left: nobody need go in again.
    atomic_store(&pool.work, NULL);
    atomic_fetch_sub(&pool.inside, 1);
    pthread_cond_signal(&pool.left);
    pthread_mutex_unlock(&pool.lock);
  }
}

// A process that was forked has none of the threads, and may have locks that they held.
static void pool_forget(void) { pool = (struct pool)POOL_NEW; }

static void pool_begin(void) {
  static int told_of_forks;
  if (!told_of_forks && pthread_atfork(NULL, NULL, pool_forget) != 0) return;
  told_of_forks = 1;
  const long processors = sysconf(_SC_NPROCESSORS_ONLN);
  while (pool.threads < POOL_MOST && (long)pool.threads + 1 < processors) {
    if (pthread_create(&pool.thread[pool.threads], NULL, pool_thread, NULL) != 0) break;
    pool.threads++;
  }
}

// Nothing may run in code that is unloaded.
__attribute__((destructor)) static void pool_end(void) {
  pthread_mutex_lock(&pool.lock);
  atomic_store(&pool.over, 1);
  pthread_cond_broadcast(&pool.begun);
  pthread_mutex_unlock(&pool.lock);
  for (unsigned i = 0; i < pool.threads; i++) pthread_join(pool.thread[i], NULL);
}

// Calls work(given) here, and in threads that come before it is done, of which it wakes so many;
// returns when these calls have returned, as each does where nothing is left to do. While the
// threads work for another caller it is called here alone.
static void pool_run(void (*work)(void *given), void *given, size_t helpers) {
  if (pthread_mutex_trylock(&pool.busy) != 0) {
    work(given);
    return;
  }
  if (pool.threads == 0) pool_begin();
  pthread_mutex_lock(&pool.lock);
  pool.given = given;
  atomic_store(&pool.work, work);
  for (size_t i = 0; i < helpers && i < pool.threads; i++) pthread_cond_signal(&pool.begun);
  pthread_mutex_unlock(&pool.lock);
  work(given);
  for (int i = 0; i < POOL_YIELDS && atomic_load(&pool.inside) != 0; i++) sched_yield();
  pthread_mutex_lock(&pool.lock);
  atomic_store(&pool.work, NULL);
  while (atomic_load(&pool.inside) != 0) pthread_cond_wait(&pool.left, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
  pthread_mutex_unlock(&pool.busy);
}

#endif  // LYDITE_CORES_BLAKE3_SW_POOL_H_

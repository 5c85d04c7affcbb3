# SPDX-License-Identifier: Apache-2.0
"""The threads of BLAKE3's software: who calls at once, forks or unloads them finds its work done.

Tested without the hash, so that it takes no processor's features, and with four threads whatever
the machine has.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import native
import pytest
import sw as support

from lydite.cores import catalog

POOL = catalog.FOLDER / "blake3" / "sw" / "pool.h"

pytestmark = pytest.mark.native

# A piece of work counts each of its items once, by whoever takes it. A sleep lets threads of the
# pool fall asleep between two calls.
WORK = """
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#define sysconf(name) 4L
#include "POOL"
#define ITEMS 50

struct items {
  atomic_uint next;
  atomic_uint done[ITEMS];
};

static void take(void *given) {
  struct items *items = given;
  for (;;) {
    const unsigned n = atomic_fetch_add(&items->next, 1);
    if (n >= ITEMS) return;
    for (volatile int i = 0; i < 500; i++) continue;
    atomic_fetch_add(&items->done[n], 1);
  }
}

int wrong(int calls);
int wrong(int calls) {
  const struct timespec while_asleep = {0, 300000};
  for (int call = 0; call < calls; call++) {
    struct items *items = calloc(1, sizeof *items);
    if (items == NULL) return 1;
    pool_run(take, items, (size_t)call % 5);
    for (int i = 0; i < ITEMS; i++) {
      if (items->done[i] != 1) return 1;
    }
    // Whoever still worked on it would be seen by the sanitizers.
    free(items);
    if (call % 16 == 0) nanosleep(&while_asleep, NULL);
  }
  return 0;
}
"""

CALLERS = """
static void *caller(void *none) {
  (void)none;
  return wrong(300) ? (void *)&pool : NULL;
}

int main(void) {
  pthread_t thread[3];
  int failed = 0;
  alarm(60);
  for (int i = 0; i < 3; i++) failed |= pthread_create(&thread[i], NULL, caller, NULL);
  failed |= wrong(300);
  for (int i = 0; i < 3; i++) {
    void *found;
    failed |= pthread_join(thread[i], &found) != 0 || found != NULL;
  }
  return failed || pool.threads != 3;
}
"""

# Of a child: its own threads, and an end that waits for no others.
FORKS = """
int main(void) {
  alarm(60);
  if (wrong(20)) return 1;
  for (int fork_ = 0; fork_ < 20; fork_++) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(30);
      if (pool.threads != 0) exit(2);
      exit(wrong(20) || pool.threads != 3);
    }
    int status;
    if (child < 0 || wrong(20) || waitpid(child, &status, 0) != child || status != 0) return 1;
  }
  return 0;
}
"""

UNLOADS = """
import _ctypes, ctypes, os, sys
def threads():
    return len(os.listdir("/proc/self/task")) - 1
library = ctypes.CDLL(sys.argv[1])
found = [threads()]
assert library.wrong(3) == 0
found.append(threads())
_ctypes.dlclose(library._handle)
print(*found, threads())
# Nobody is told of a fork who is no longer there.
child = os.fork()
if child == 0:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""


def source(folder: Path, main: str = "") -> Path:
    path = folder / "pool.c"
    path.write_text(WORK.replace("POOL", str(POOL)) + main)
    return path


def argv(*more: str) -> list[str]:
    return [native.program("gcc"), "-std=c11", "-O1", "-g", "-pthread", *support.WARNINGS, *more]


@pytest.mark.parametrize(
    ("main", "sanitizer"),
    [(CALLERS, "thread"), (CALLERS, "address,undefined"), (FORKS, "address,undefined")],
)
def test_callers_at_once_and_forks_find_their_work_done(
    tmp_path: Path, main: str, sanitizer: str
) -> None:
    command = argv(f"-fsanitize={sanitizer}", "-fno-sanitize-recover=all")
    (tmp_path / "probe.c").write_text("int main(void) { return 0; }")
    probe = [*command, "probe.c", "-o", "probe"]
    if subprocess.run(probe, cwd=tmp_path, capture_output=True, check=False).returncode != 0:
        pytest.skip("gcc here has no sanitizer libraries")
    program = support.build([*command, str(source(tmp_path, main))], tmp_path / "main")
    run = subprocess.run([str(program)], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr


def test_threads_end_when_the_library_is_unloaded(tmp_path: Path) -> None:
    command = [*argv("-shared", "-fPIC"), str(source(tmp_path))]
    library = support.build(command, tmp_path / "pool.so")
    # In a process of its own: what is wrong there ends it.
    command = [sys.executable, "-c", UNLOADS, str(library)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stdout) == (0, "0 3 0\n"), run.stderr

#pragma once
#include <libpq-fe.h>
#include <spawn.h>

// glibc's own, hidden from Swift's view of <spawn.h> because they are not in POSIX.
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

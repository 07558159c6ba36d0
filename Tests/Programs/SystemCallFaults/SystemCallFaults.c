// A library for LD_PRELOAD that disturbs one system call of a program: see `.ci/faults`.
//
//   FAULT_LOG=FILE       gets a line for each call that counts: the call and its path, and behind them what was done to it
//   FAULT_CALL=NAME      the calls to count, such as write; all variants of a call have one name
//   FAULT_AT=NUMBER      which of them is disturbed, from 1 on
//   FAULT_ACTION=NAME    fail        the call does nothing and reports an error
//                        full        so does every later call that takes room, as on a full disk
//                        shorten     the call reads or writes half of the bytes
//                        interrupt   the call does nothing and reports EINTR
//                        kill        the process kills itself, in the middle of what it writes
//
// Calls count if they are about a path of the working folder, or a descriptor that was opened by one, or one of the three
// standard descriptors. So those of the system's libraries for themselves do not count.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { maximum_descriptors = 1024 };

static const char *chosen_call = "", *action = "";
static long chosen_position;
static int log_descriptor = -1;
static char folder[4096];
static atomic_long position;
static atomic_bool is_full;
/// The paths of the open descriptors that count. A path is never freed: another thread may still read it.
static _Atomic(const char *) paths[maximum_descriptors];

__attribute__((constructor)) static void prepare(void) {
    paths[0] = "<standard input>";
    paths[1] = "<standard output>";
    paths[2] = "<standard error>";
    if (getcwd(folder, sizeof folder) == NULL) abort();
    const char *text = getenv("FAULT_CALL");
    if (text != NULL) chosen_call = text;
    text = getenv("FAULT_ACTION");
    if (text != NULL) action = text;
    text = getenv("FAULT_AT");
    if (text != NULL) chosen_position = atol(text);
    text = getenv("FAULT_LOG");
    if (text == NULL) return;
    // A high number, so that the program gets those that it would get anyway.
    int opened = (int)syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    log_descriptor = fcntl(opened, F_DUPFD_CLOEXEC, maximum_descriptors / 2);
    syscall(SYS_close, opened);
}

static bool is_action(const char *name) { return strcmp(action, name) == 0; }

/// Returns whether a path is in the working folder.
static bool counts(const char *path) {
    if (path[0] != '/') return true;
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == '\0');
}

static const char *path_of(int descriptor) {
    return descriptor >= 0 && descriptor < maximum_descriptors ? paths[descriptor] : NULL;
}

/// Notes under which path a descriptor was opened; what is not in the folder does not count.
static int opened(int descriptor, const char *path) {
    if (descriptor >= 0 && descriptor < maximum_descriptors) paths[descriptor] = counts(path) ? strdup(path) : NULL;
    return descriptor;
}

/// What happens to a call.
typedef enum { goes_on, is_shortened, fails, kills } Fate;

/// Counts a call and decides what happens to it; errno is set if it fails.
///
/// - path: what the call is about; NULL if it does not count.
/// - failure: the error that is usual for it. That of calls that take room is ENOSPC.
static Fate fate(const char *call, const char *path, int failure) {
    if (path == NULL) return goes_on;
    bool is_chosen = strcmp(call, chosen_call) == 0 && atomic_fetch_add(&position, 1) + 1 == chosen_position;
    if (log_descriptor >= 0) {
        char line[8192];
        int length = snprintf(line, sizeof line, "%s %s%s%s\n", call, path, is_chosen ? " " : "", is_chosen ? action : "");
        syscall(SYS_write, log_descriptor, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
    }
    if (is_full && failure == ENOSPC) {
        errno = ENOSPC;
        return fails;
    }
    if (!is_chosen) return goes_on;
    if (is_action("kill")) return kills;
    if (is_action("shorten")) return is_shortened;
    if (is_action("full")) is_full = true;
    errno = is_action("interrupt") ? EINTR : failure;
    return fails;
}

static void kill_now(void) {
    syscall(SYS_kill, getpid(), SIGKILL);
    // The signal ends every thread, this one before it returns.
    abort();
}

/// Lets a call go on unless something else happens to it.
#define PASS(call, path, failure, failed) \
    switch (fate(call, path, failure)) { \
    case fails: return failed; \
    case kills: kill_now(); \
    default: break; \
    }

/// The same for a call that moves bytes; its count is halved when it is shortened.
#define PASS_BYTES(call, descriptor, count, failure, half) \
    switch (fate(call, path_of(descriptor), failure)) { \
    case fails: return -1; \
    case is_shortened: count = (count + 1) / 2; break; \
    case kills: half; kill_now(); \
    default: break; \
    }

#define NEXT(name) \
    static __typeof__(&name) next; \
    if (next == NULL) next = (__typeof__(next))dlsym(RTLD_NEXT, #name)

// MARK: Bytes

ssize_t read(int descriptor, void *bytes, size_t count) {
    NEXT(read);
    PASS_BYTES("read", descriptor, count, EIO, )
    return next(descriptor, bytes, count);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    NEXT(write);
    PASS_BYTES("write", descriptor, count, ENOSPC, next(descriptor, bytes, count / 2))
    return next(descriptor, bytes, count);
}

#define POSITIONED(read_name, write_name, offset_type) \
    ssize_t read_name(int descriptor, void *bytes, size_t count, offset_type offset) { \
        NEXT(read_name); \
        PASS_BYTES("pread", descriptor, count, EIO, ) \
        return next(descriptor, bytes, count, offset); \
    } \
    ssize_t write_name(int descriptor, const void *bytes, size_t count, offset_type offset) { \
        NEXT(write_name); \
        PASS_BYTES("pwrite", descriptor, count, ENOSPC, next(descriptor, bytes, count / 2, offset)) \
        return next(descriptor, bytes, count, offset); \
    }
POSITIONED(pread, pwrite, off_t)
POSITIONED(pread64, pwrite64, off64_t)

// MARK: Opened files

static mode_t mode_of(int flags, va_list arguments) {
    return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

/// Making a file takes room.
static int failure_of(int flags) { return (flags & O_CREAT) != 0 ? ENOSPC : EACCES; }

#define OPEN(name, ...) \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = mode_of(flags, arguments); \
    va_end(arguments); \
    NEXT(name); \
    PASS("open", counts(path) ? path : NULL, failure_of(flags), -1) \
    return opened(next(__VA_ARGS__, flags, mode), path)

int open(const char *path, int flags, ...) { OPEN(open, path); }
int open64(const char *path, int flags, ...) { OPEN(open64, path); }
int openat(int place, const char *path, int flags, ...) { OPEN(openat, place, path); }
int openat64(int place, const char *path, int flags, ...) { OPEN(openat64, place, path); }

int close(int descriptor) {
    NEXT(close);
    if (descriptor >= 0 && descriptor < maximum_descriptors) paths[descriptor] = NULL;
    return next(descriptor);
}

#define OF_DESCRIPTOR(call, failure) \
    NEXT(call); \
    PASS(#call, path_of(descriptor), failure, -1) \
    return next

int fsync(int descriptor) { OF_DESCRIPTOR(fsync, EIO)(descriptor); }
int fdatasync(int descriptor) { OF_DESCRIPTOR(fdatasync, EIO)(descriptor); }
int fchmod(int descriptor, mode_t mode) { OF_DESCRIPTOR(fchmod, EPERM)(descriptor, mode); }

#define MAPPED(truncate_name, map_name, offset_type) \
    int truncate_name(int descriptor, offset_type length) { \
        NEXT(truncate_name); \
        PASS("ftruncate", path_of(descriptor), ENOSPC, -1) \
        return next(descriptor, length); \
    } \
    void *map_name(void *address, size_t length, int protection, int flags, int descriptor, offset_type offset) { \
        NEXT(map_name); \
        PASS("mmap", path_of(descriptor), ENOMEM, MAP_FAILED) \
        return next(address, length, protection, flags, descriptor, offset); \
    }
MAPPED(ftruncate, mmap, off_t)
MAPPED(ftruncate64, mmap64, off64_t)

// MARK: Folders

#define OF_PATH(name, call, failure, failed) \
    NEXT(name); \
    PASS(call, counts(path) ? path : NULL, failure, failed) \
    return next

int rename(const char *path, const char *target) { OF_PATH(rename, "rename", EACCES, -1)(path, target); }
int renameat(int place, const char *path, int other, const char *target) {
    OF_PATH(renameat, "rename", EACCES, -1)(place, path, other, target);
}
int renameat2(int place, const char *path, int other, const char *target, unsigned flags) {
    OF_PATH(renameat2, "rename", EACCES, -1)(place, path, other, target, flags);
}
int unlink(const char *path) { OF_PATH(unlink, "unlink", EACCES, -1)(path); }
int unlinkat(int place, const char *path, int flags) { OF_PATH(unlinkat, "unlink", EACCES, -1)(place, path, flags); }
int mkdir(const char *path, mode_t mode) { OF_PATH(mkdir, "mkdir", ENOSPC, -1)(path, mode); }
int rmdir(const char *path) { OF_PATH(rmdir, "rmdir", EACCES, -1)(path); }

DIR *opendir(const char *path) {
    NEXT(opendir);
    PASS("opendir", counts(path) ? path : NULL, EACCES, NULL)
    DIR *stream = next(path);
    if (stream != NULL) opened(dirfd(stream), path);
    return stream;
}

#define READ_FOLDER(name, entry_type) \
    entry_type *name(DIR *stream) { \
        NEXT(name); \
        PASS("readdir", path_of(dirfd(stream)), EIO, NULL) \
        return next(stream); \
    }
READ_FOLDER(readdir, struct dirent)
READ_FOLDER(readdir64, struct dirent64)

// MARK: What is known of files

#define STATUS(path_name, link_name, descriptor_name, status_type) \
    int path_name(const char *path, struct status_type *status) { \
        OF_PATH(path_name, "stat", EIO, -1)(path, status); \
    } \
    int link_name(const char *path, struct status_type *status) { \
        OF_PATH(link_name, "stat", EIO, -1)(path, status); \
    } \
    int descriptor_name(int descriptor, struct status_type *status) { \
        NEXT(descriptor_name); \
        PASS("stat", path_of(descriptor), EIO, -1) \
        return next(descriptor, status); \
    }
STATUS(stat, lstat, fstat, stat)
STATUS(stat64, lstat64, fstat64, stat64)

int access(const char *path, int mode) { OF_PATH(access, "stat", EIO, -1)(path, mode); }

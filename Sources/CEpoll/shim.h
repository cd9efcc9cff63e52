// Why this exists: Swift's Glibc module exports neither epoll, eventfd nor accept4.
// Header only; the values that C spells as enums or macros become plain constants here.
#pragma once
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <stdint.h>

// accept4 is declared only under _GNU_SOURCE. Defining that here would give this module another
// fd_set than all others have, which clang refuses as soon as two of them meet.
extern int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict length, int flags);

// The user at the other end of a connected socket file. struct ucred too is declared only under
// _GNU_SOURCE; these are its three members (unix(7)).
struct traitd_peer { int32_t process; uint32_t user; uint32_t group; };
static const int traitd_SO_PEERCRED = SO_PEERCRED;

static const uint32_t traitd_EPOLLIN = EPOLLIN;
static const uint32_t traitd_EPOLLOUT = EPOLLOUT;
static const uint32_t traitd_EPOLLERR = EPOLLERR;
static const uint32_t traitd_EPOLLHUP = EPOLLHUP;
static const uint32_t traitd_EPOLLRDHUP = EPOLLRDHUP;
static const int traitd_EPOLL_CLOEXEC = EPOLL_CLOEXEC;
static const int traitd_EFD_CLOEXEC = EFD_CLOEXEC;
static const int traitd_EFD_NONBLOCK = EFD_NONBLOCK;
static const int traitd_SOCK_NONBLOCK = SOCK_NONBLOCK;
static const int traitd_SOCK_CLOEXEC = SOCK_CLOEXEC;

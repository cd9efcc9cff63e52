// Nothing to call: see visible_mutex.c. A module needs a header.

#ifndef VISIBLE_MUTEX_H
#define VISIBLE_MUTEX_H
#endif

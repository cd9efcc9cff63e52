// The effect of each signal on the process. Shutdown.swift has the steps of the shutdown, Reloads.swift
// the files that SIGHUP rereads.

import Glibc

enum Signals {
    /// End the server, step by step.
    static let ending = [SIGTERM, SIGINT]
    /// Rereads files. Its default action, which ends the process, must never happen.
    static let rereading = SIGHUP
    /// Would end the process by default and mean nothing here.
    private static let ignored = [SIGUSR1, SIGUSR2, SIGPIPE]

    /// Takes the signals over. To be called on the main thread before any other thread exists and
    /// before anything that may take long.
    ///
    /// A blocked signal stays pending until a source takes it. An ignored one would be lost until the
    /// source is in place, which happens on another thread. Dispatch's own threads block all signals,
    /// and new threads inherit what the main thread blocks.
    static func takeOver() {
        for number in ignored { signal(number, SIG_IGN) }
        var held = sigset_t()
        sigemptyset(&held)
        for number in ending + [rereading] { sigaddset(&held, number) }
        pthread_sigmask(SIG_BLOCK, &held, nil)
    }
}

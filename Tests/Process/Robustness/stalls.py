"""Measures how long the machine itself stops while something else is measured; see stalls.c."""

import os
import pathlib
import subprocess
import tempfile

from watching import Failure


class Stalls:
    """Runs stalls.c beside what is measured, as a context manager."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        program = os.path.join(self.folder.name, "stalls")
        source = pathlib.Path(__file__).with_name("stalls.c")
        subprocess.run(["cc", "-O2", "-pthread", "-o", program, str(source)], check=True)
        # A pipe would fill up, and stop the measurement.
        self.printed = tempfile.TemporaryFile("w+", encoding="ascii")
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=self.printed)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.printed.close()
        self.folder.cleanup()

    def finish(self):
        """Ends the measurement. Answers with the beginning and end of each stop of more than a millisecond, in
        milliseconds since 1970; None where the priority is not given."""
        self.process.communicate()
        if self.process.returncode == 3:
            print("stalls: no right to threads of the highest priority, the machine's stops are not measured",
                  flush=True)
            return None
        if self.process.returncode:
            raise Failure(f"stalls ended with {self.process.returncode}")
        stops = []
        self.printed.seek(0)
        for line in self.printed:
            end, took = map(float, line.split())
            stops.append((end - took, end))
        print(f"stalls: the machine stopped {len(stops)} times for more than 1 ms, for"
              f" {max((end - begin for begin, end in stops), default=0):.1f} ms at most", flush=True)
        return sorted(stops)


def stopped(begin, end, stops):
    """For how many milliseconds of a time the machine was stopped."""
    total = 0
    for first, last in stops:
        first, last = max(first, begin), min(last, end)
        if last > first:
            total += last - first
            begin = last
    return total

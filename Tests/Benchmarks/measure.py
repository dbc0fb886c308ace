"""Runs commands and pipelines, and measures their time and memory."""

import os
import statistics
import time


class CannotMeasure(Exception):
    pass


class Command:
    """A pipeline of one or more stages under a name; its first stage reads `stdin`, its last one's output is dropped."""

    def __init__(self, name, *stages, stdin="/dev/null"):
        self.name = name
        self.stages = [list(map(str, stage)) for stage in stages]
        self.stdin = stdin


class Runner:
    def __init__(self, work):
        self.errors = os.path.join(work, "stderr.log")
        self.peak = os.path.join(work, "peak")

    def seconds(self, command):
        """Wall time from before the first process starts until the last one has ended."""
        with open(os.devnull, "wb") as sink:
            start = time.perf_counter()
            processes = self._start(command, command.stages, sink.fileno())
            statuses = [os.waitpid(process, 0)[1] for process in processes]
            elapsed = time.perf_counter() - start
        self._check(command, statuses)
        return elapsed

    def memory(self, command):
        """Peak resident bytes, those of all stages together, and how many bytes came out.

        Linux counts what a process was before exec, so a large one like this can't start a small one and learn its
        peak. time(1) can: it is smaller than anything that is measured.
        """
        peaks = ["%s.%d" % (self.peak, number) for number in range(len(command.stages))]
        stages = [["time", "-f", "%M", "-o", peak] + stage for peak, stage in zip(peaks, command.stages)]
        reader, writer = os.pipe()
        processes = self._start(command, stages, writer)
        os.close(writer)
        count = 0
        while chunk := os.read(reader, 1 << 20):
            count += len(chunk)
        os.close(reader)
        self._check(command, [os.waitpid(process, 0)[1] for process in processes])
        total = 0
        for peak in peaks:
            with open(peak, encoding="utf-8") as file:
                total += int(file.read()) * 1024
            os.unlink(peak)
        return total, count

    def rounds(self, commands, count, seldom=None):
        """Runs the commands in turn, A B A B …, `count` times; those in `seldom` only in the first so many rounds.

        Gives the seconds by name, in the order of the rounds, so that equal places were measured together.
        """
        seconds = {command.name: [] for command in commands}
        for number in range(count):
            for command in commands:
                if number < (seldom or {}).get(command.name, count):
                    seconds[command.name].append(self.seconds(command))
        return seconds

    def _start(self, command, stages, sink):
        processes = []
        source = os.open(command.stdin, os.O_RDONLY)
        errors = os.open(self.errors, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        for number, stage in enumerate(stages):
            reader, writer = (None, sink) if number == len(stages) - 1 else os.pipe()
            actions = [(os.POSIX_SPAWN_DUP2, source, 0), (os.POSIX_SPAWN_DUP2, writer, 1), (os.POSIX_SPAWN_DUP2, errors, 2)]
            try:
                processes.append(os.posix_spawnp(stage[0], stage, os.environ, file_actions=actions))
            except OSError as error:
                raise CannotMeasure("%s: %s" % (stage[0], error.strerror)) from error
            os.close(source)
            if writer != sink:
                os.close(writer)
            source = reader
        os.close(errors)
        return processes

    def _check(self, command, statuses):
        if any(statuses):
            with open(self.errors, encoding="utf-8", errors="replace") as file:
                raise CannotMeasure("%s failed: %s" % (command.name, file.read().strip() or statuses))


def paired_ratio(ours, theirs):
    """Returns the median of the ratios of times that were measured in the same round."""
    return statistics.median(a / b for a, b in zip(ours, theirs))

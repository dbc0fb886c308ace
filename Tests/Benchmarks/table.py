"""The measured rows, as a table and as JSON."""

import json
import statistics

from measure import paired_ratio

HEAD = ["work", "apictl", "peer", "peer's figure", "ratio", "goal", "met"]


def time_text(seconds):
    return "%.1f ms" % (seconds * 1e3) if seconds < 0.1995 else "%.2f s" % seconds


def rate_text(rate):
    return "%.0f MB/s" % (rate / 1e6)


def requests_text(rate):
    return "{:,.0f} /s".format(rate)


def size_text(size):
    return "%.1f MB" % (size / 1e6)


class Table:
    def __init__(self):
        self.rows = []

    def time(self, work, ours, peer, theirs, most=None):
        """A row of paired times in seconds; `most` is the highest ratio that is good."""
        self._ratio(work, statistics.median(ours), peer, statistics.median(theirs), paired_ratio(ours, theirs), most,
                    time_text, "s", {"apictl": ours, "peer": theirs})

    def rate(self, work, seconds, size, least=None):
        """A row of a throughput in bytes per second."""
        rate = size / statistics.median(seconds)
        self._absolute(work, rate, rate_text, "B/s", least, at_least=True, samples={"apictl": seconds})

    def requests(self, work, rate, least):
        """A row of requests per second."""
        self._absolute(work, rate, requests_text, "1/s", least, at_least=True)

    def size(self, work, size, most=None):
        """A row of memory or disk space in bytes."""
        self._absolute(work, size, size_text, "B", most, at_least=False)

    def sizes(self, work, ours, peer, theirs):
        self._ratio(work, ours, peer, theirs, ours / theirs, None, size_text, "B")

    def most_seconds(self, work, seconds, most):
        """A row of a time that should be below `most` seconds."""
        self._absolute(
            work, statistics.median(seconds), time_text, "s", most, at_least=False, samples={"apictl": seconds})

    def seconds(self, work, seconds):
        self._absolute(work, seconds, time_text, "s", None, at_least=False)

    def _ratio(self, work, ours, peer, theirs, ratio, most, form, unit, samples=None):
        self._add(
            [work, form(ours), peer, form(theirs), "%.3g" % ratio, "" if most is None else "at most %.3g" % most],
            None if most is None else ratio <= most,
            {"work": work, "apictl": ours, "peer": peer, "peerFigure": theirs, "unit": unit, "ratio": ratio,
             "goalRatioAtMost": most, "samples": samples})

    def _absolute(self, work, value, form, unit, goal, at_least, samples=None):
        words = "at least " if at_least else "under "
        met = None if goal is None else value >= goal if at_least else value < goal
        self._add(
            [work, form(value), "", "", "", "" if goal is None else words + form(goal)], met,
            {"work": work, "apictl": value, "unit": unit, "goalAtLeast" if at_least else "goalUnder": goal,
             "samples": samples})

    def _add(self, cells, met, record):
        self.rows.append((cells + [{None: "", True: "yes", False: "no"}[met]], dict(record, met=met)))

    def text(self):
        lines = [HEAD] + [cells for cells, _ in self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(HEAD))]
        lines.insert(1, ["-" * width for width in widths])
        return "\n".join("| " + " | ".join(map(str.ljust, line, widths)) + " |" for line in lines)

    def json(self, about):
        return json.dumps(dict(about, rows=[record for _, record in self.rows]), indent=2) + "\n"

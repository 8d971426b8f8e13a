"""What is being waited for, and for how long already: one line that changes on a terminal, a line now and then
elsewhere."""
import contextlib
import sys
import threading
import time

TERMINAL_SECONDS = 0.5
FILE_SECONDS = 5


class Progress:
    @contextlib.contextmanager
    def step(self, words):
        """Shows `words` while the body runs, and how long it took."""
        on_terminal = sys.stdout.isatty()
        begin = time.monotonic()
        done = threading.Event()

        def show(end):
            start = "\r" if on_terminal else ""
            print(f"{start}{words} {time.monotonic() - begin:.0f} s", end=end, flush=True)

        def go_on():
            while not done.wait(TERMINAL_SECONDS if on_terminal else FILE_SECONDS):
                show("" if on_terminal else "\n")

        ticker = threading.Thread(target=go_on, daemon=True)
        ticker.start()
        try:
            yield
        finally:
            done.set()
            ticker.join()
            show("\n")

"""Runs a command in a pseudo-terminal: run-in-pty.py COLUMNS ROWS COMMAND...

What the command writes goes to stdout. Lines on stdin are orders: "type HEX" for bytes to type; "pause" to stop the command
while it waits, which is answered with a line on stderr; "size COLUMNS ROWS" to give the terminal another size
and to let the command go on.
Ends with the command's exit code; a command that a signal ended has 128 and the signal's number.
"""

import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios


def set_size(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))


def pass_on(within_seconds):
    """Passes on what the command writes, until it has written nothing for so long."""
    while select.select([terminal], [], [], within_seconds)[0]:
        os.write(sys.stdout.fileno(), os.read(terminal, 65536))


def nanoseconds_of_waiting():
    """The CPU time that the command has taken so far; None while it runs."""
    with open(f"/proc/{child}/stat") as stat:
        state = stat.read().rpartition(") ")[2][0]
    with open(f"/proc/{child}/schedstat") as schedstat:
        return int(schedstat.read().split()[0]) if state in "ST" else None


def pause():
    """Stops the command where it waits, soon after it has drawn: a frame that it had begun would be drawn for another size than that of
    the terminal. Its next frame is due when it goes on, before it hears of the new size."""
    while True:
        select.select([terminal], [], [])
        pass_on(0.03)
        taken = nanoseconds_of_waiting()
        os.kill(child, signal.SIGSTOP)
        os.waitpid(child, os.WUNTRACED)
        if taken is not None and nanoseconds_of_waiting() - taken < 200_000:
            break
        os.kill(child, signal.SIGCONT)
    pass_on(0.1)


columns, rows, *command = sys.argv[1:]
child, terminal = pty.fork()
if child == 0:
    # The size must be there before the command asks for it.
    set_size(0, columns, rows)
    os.execvp(command[0], command)

orders = b""
sources = [terminal, sys.stdin.fileno()]
while True:
    ready = select.select(sources, [], [])[0]
    if terminal in ready:
        try:
            text = os.read(terminal, 65536)
        except OSError:
            # Linux: nobody has the other end open any more.
            break
        if not text:
            break
        os.write(sys.stdout.fileno(), text)
    if sys.stdin.fileno() in ready:
        told = os.read(sys.stdin.fileno(), 4096)
        if not told:
            sources.remove(sys.stdin.fileno())
        orders += told
        *lines, orders = orders.split(b"\n")
        for order, *values in (line.decode().split() for line in lines):
            if order == "pause":
                pause()
                print("paused", file=sys.stderr, flush=True)
            elif order == "size":
                set_size(terminal, *values)
                os.kill(child, signal.SIGCONT)
            else:
                os.write(terminal, bytes.fromhex(values[0]))

status = os.waitpid(child, 0)[1]
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))

"""Runs a command in a pseudo-terminal: run-in-pty.py COLUMNS ROWS COMMAND...

The command's output goes to stdout. Lines on stdin are orders: "type HEX" types bytes; "pause" stops the command
while it waits, and is confirmed with a line on stderr; "size COLUMNS ROWS" resizes the terminal and continues the
command.
Exits with the command's exit code, or with 128 plus the number of the signal that ended it.
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
    """Forwards the command's output until it has written nothing for this long."""
    while select.select([terminal], [], [], within_seconds)[0]:
        os.write(sys.stdout.fileno(), os.read(terminal, 65536))


def nanoseconds_of_waiting():
    """Returns the CPU time that the waiting command has taken so far; None while it runs."""
    with open(f"/proc/{child}/stat") as stat:
        state = stat.read().rpartition(") ")[2][0]
    with open(f"/proc/{child}/schedstat") as schedstat:
        return int(schedstat.read().split()[0]) if state in "ST" else None


def pause():
    """Stops the command while it waits, soon after a frame: a frame begun before would be drawn for another size than
    the terminal's. The next frame is due when the command continues, before it receives the new size."""
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
    # The size must be set before the command reads it.
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
            # On Linux this means that no process has the other end open.
            break
        if not text:
            break
        os.write(sys.stdout.fileno(), text)
    if sys.stdin.fileno() in ready:
        received = os.read(sys.stdin.fileno(), 4096)
        if not received:
            sources.remove(sys.stdin.fileno())
        orders += received
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

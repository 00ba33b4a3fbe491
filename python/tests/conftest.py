"""What all tests need."""

import signal

# A shell's background jobs ignore interrupts, and Python then does so too: but tests interrupt
# themselves, and the programs that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

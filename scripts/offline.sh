#!/bin/sh
# scripts/offline.sh <command…>: runs it where there is no network but loopback, so that a test with a mistake in it can
# reach nobody. Where that is not allowed, it says so and runs the command anyway.
set -u

# Loopback is there in a new network namespace, and down. Whoever can lift it, lifts it; Debian has perl always.
lift_loopback() {
  ip link set lo up 2>/dev/null && return
  ifconfig lo up 2>/dev/null && return
  # SIOCSIFFLAGS with IFF_UP and IFF_RUNNING, for lo.
  perl -e 'use Socket; socket(my $s, PF_INET, SOCK_DGRAM, 0) or exit 1; my $up = pack("a16sx22", "lo", 0x41); ioctl($s, 0x8914, $up) or exit 1' 2>/dev/null && return
  python3 -c 'import fcntl, socket, struct; fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh22x", b"lo", 0x41))' 2>/dev/null
}

if [ "${1-}" = --inside ]; then
  shift
  lift_loopback || exit 125
  exec "$@"
fi

# One's own user stays the same inside: a CLI that finds itself root behaves in another way.
if [ "$(id -u)" = 0 ]; then how="--net"; else how="--user --map-current-user --keep-caps --net"; fi
# shellcheck disable=SC2086
unshare $how -- sh "$0" --inside sh -c : 2>/dev/null && exec unshare $how -- sh "$0" --inside "$@"
echo "This machine allows no network namespace: running with the network there is." >&2
exec "$@"

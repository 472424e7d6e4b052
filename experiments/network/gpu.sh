#!/bin/sh
# Trains a network on a machine with a GPU, PyTorch and numpy; nothing has to be built there.
#
#   experiments/network/gpu.sh OUT.net MINUTES GAMES...
#
# GAMES are folders of `turncoat train selfplay`; they take 2.6 bytes a position, so 60 MB hold 22 million. The network
# and its checkpoint OUT.pt are written every minute, and OUT.log has the progress.
#
# Environment: PYTHON names the interpreter (python3), OPTIONS are options of train.py (all shapes, 32 units, shared parts, 8 passes).
set -eu

if [ $# -lt 3 ]; then
    echo "usage: experiments/network/gpu.sh OUT.net MINUTES GAMES..." >&2
    exit 2
fi
out=$1 minutes=$2
shift 2
options=${OPTIONS:---parts all --units 32 --hidden 16 --stages 12 --epochs 8 --factors 2 --decay 1 --trust 1}
# Options are words.
# shellcheck disable=SC2086
exec "${PYTHON:-python3}" "$(dirname "$0")/train.py" "$@" --out "$out" --minutes "$minutes" --log "${out%.net}.log" $options

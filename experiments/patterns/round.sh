#!/bin/sh
# One round of training: games with the previous round's weights, new weights from all games so far, the error model
# for ProbCut, and a match against the previous round.
#
#   experiments/patterns/round.sh VARIANT ROUND SECONDS DEPTH SOLVE
#
# VARIANT is reversed or reversi. Round 1 plays with the hand-made evaluation, each later one with the weights of its
# predecessor. SECONDS is the time for games; running a round again continues it, and its earlier weights are kept in
# weights-ROUND.1, .2 and so on. Everything goes into runs/VARIANT.
#
# Environment: TURNCOAT names the program (target/release/turncoat), RUNS the folder (runs), GAMES the maximum of games,
# FROM the first round whose games are used, FITTED the games for the error model, MATCH the maximum of games in the
# match; PASSES, RIDGE and TRUST are the settings of `train patterns`.
set -eu

misused() {
    echo "round.sh: $1" >&2
    echo "usage: experiments/patterns/round.sh VARIANT ROUND SECONDS DEPTH SOLVE" >&2
    echo "as in: experiments/patterns/round.sh reversed 1 130 2 12" >&2
    exit 2
}

# number NAME VALUE LEAST
number() {
    case $2 in
        '' | *[!0-9]* | 0?* | ??????????*) misused "$1 is a number, not '$2'" ;;
    esac
    [ "$2" -ge "$3" ] || misused "$1 is at least $3"
}

[ $# -eq 5 ] || misused "five arguments are needed"
variant=$1 round=$2 seconds=$3 depth=$4 solve=$5
case $variant in
    reversed | reversi) ;;
    *) misused "VARIANT is reversed or reversi, not '$variant'" ;;
esac
number ROUND "$round" 1
number SECONDS "$seconds" 1
number DEPTH "$depth" 1
number SOLVE "$solve" 0
from=${FROM:-1}
number FROM "$from" 1
[ "$from" -le "$round" ] || misused "FROM is at most $round, this round"
turncoat=${TURNCOAT:-target/release/turncoat}
command -v "$turncoat" > /dev/null ||
    misused "there is no program $turncoat: build it with cargo build --release, or name it in TURNCOAT"

runs=${RUNS:-runs}/$variant
before=$((round - 1))
games=$runs/games-$round
weights=$runs/weights-$round
if [ "$round" -eq 1 ]; then
    evaluation=hand
else
    evaluation=$runs/weights-$before/patterns.weights
    [ -f "$evaluation" ] || misused "there is no $evaluation: run round $before first"
fi
folders= i=$from
while [ "$i" -le "$round" ]; do
    [ "$i" -eq "$round" ] || [ -d "$runs/games-$i" ] ||
        misused "there are no games of round $i in $runs/games-$i: run it first, or begin after it with FROM"
    folders="$folders \"$runs/games-$i\","
    i=$((i + 1))
done
mkdir -p "$runs"

# Plays until its time is over (status 124), which is the usual end; any other status is a failure. In the foreground,
# so that Ctrl-C reaches the program.
selfplay() {
    status=0
    timeout --foreground -s INT "$seconds" "$turncoat" train selfplay "$@" -q || status=$?
    [ "$status" -eq 0 ] || [ "$status" -eq 124 ] || exit "$status"
}

if [ ! -e "$games/settings.toml" ]; then
    cat > "$runs/selfplay-$round.toml" <<END
variant = "$variant"
evaluation = "$evaluation"
games = ${GAMES:-4000000}
seed = $round
depth = $depth
solve = $solve
enumerate_every = 8
enumerated_plies = 7
random = [{ plies = [6, 14], share = 0.85 }, { plies = [12, 30], share = 0.15 }]
END
    selfplay "$runs/selfplay-$round.toml" --out "$games"
else
    selfplay --resume "$games"
fi
files=$(find "$games" -name '*.games' | wc -l)
echo "$variant, round $round: $files files of up to 4096 games, depth $depth"
if [ "$files" -eq 0 ]; then
    echo "round.sh: $seconds s were too short for a file of games; run it again to continue" >&2
    exit 1
fi

{
    echo "variant = \"$variant\""
    echo "games = [$folders]"
    echo "passes = ${PASSES:-25}"
    echo "ridge = ${RIDGE:-300}"
    echo "trust = ${TRUST:-1.0}"
    if [ "$round" -gt 1 ]; then echo "start = \"$evaluation\""; fi
} > "$runs/patterns-$round.toml"
if [ -e "$weights" ]; then
    i=1
    while [ -e "$weights.$i" ]; do i=$((i + 1)); done
    mv "$weights" "$weights.$i"
    echo "the earlier weights are kept in $weights.$i"
fi
"$turncoat" train patterns "$runs/patterns-$round.toml" --out "$weights" -q
# The size of the training set.
grep -o '"\(games\|positions\)":[0-9]*' "$weights/positions.json"
"$turncoat" train probcut --variant "$variant" --eval "$weights/patterns.weights" --games "${FITTED:-320}" \
    --deepest 8 --out "$weights/patterns.probcut.toml"
rm -rf "$weights/positions" "$weights"/stage-*

if [ "$round" -gt 1 ]; then
    "$turncoat" match --variant "$variant" "turncoat:eval=$weights/patterns.weights,depth=4,solve=12" \
        "turncoat:eval=$evaluation,depth=4,solve=12" --games "${MATCH:-2000}" --sprt elo0=0,elo1=20 \
        --openings random:8 --concurrency "$(nproc)" --seed "$round" -q
fi

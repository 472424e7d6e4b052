#!/bin/sh
# One round of training: games by the weights of the round before, new weights from all games so far, the error
# model of cuts by probability, and a test against the round before.
#
#   experiments/patterns/round.sh VARIANT ROUND SECONDS DEPTH SOLVE
#
# VARIANT is reversed or reversi. Round 1 plays with the hand-made evaluation. SECONDS is the time for games; a
# round may be run again to go on. Everything is put into runs/VARIANT. TURNCOAT names the program.
set -eu
variant=$1 round=$2 seconds=$3 depth=$4 solve=$5
turncoat=${TURNCOAT:-target/release/turncoat}
runs=${RUNS:-runs}/$variant
mkdir -p "$runs"
before=$((round - 1))
if [ "$round" -eq 1 ]; then evaluation=hand; else evaluation=$runs/weights-$before/patterns.weights; fi
games=$runs/games-$round
weights=$runs/weights-$round

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
    timeout -s INT "$seconds" "$turncoat" train selfplay "$runs/selfplay-$round.toml" --out "$games" -q || true
else
    timeout -s INT "$seconds" "$turncoat" train selfplay --resume "$games" -q || true
fi
echo "$variant, round $round: $(find "$games" -name '*.games' | wc -l) files of 4096 games, depth $depth"

folders= i=${FROM:-1}
while [ "$i" -le "$round" ]; do folders="$folders \"$runs/games-$i\","; i=$((i + 1)); done
{
    echo "variant = \"$variant\""
    echo "games = [$folders]"
    echo "passes = ${PASSES:-25}"
    echo "ridge = ${RIDGE:-300}"
    echo "trust = ${TRUST:-1.0}"
    if [ "$round" -gt 1 ]; then echo "start = \"$evaluation\""; fi
} > "$runs/patterns-$round.toml"
rm -rf "$weights"
"$turncoat" train patterns "$runs/patterns-$round.toml" --out "$weights" -q
cat "$weights/positions.json"; echo
"$turncoat" train probcut --variant "$variant" --eval "$weights/patterns.weights" --games 320 --deepest 8 \
    --out "$weights/patterns.probcut.toml" 2>&1 | sed -n '1,4p'
rm -rf "$weights/positions" "$weights"/stage-*

if [ "$round" -gt 1 ]; then
    "$turncoat" match --variant "$variant" "turncoat:eval=$weights/patterns.weights,depth=4,solve=12" \
        "turncoat:eval=$evaluation,depth=4,solve=12" --games 2000 --sprt elo0=0,elo1=20 --openings random:8 \
        --concurrency "$(nproc)" --seed "$round" -q 
fi

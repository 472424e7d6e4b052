#!/bin/bash
# Hostile programs under cgroup v2, on a machine that has v1: in User Mode Linux (Debian: apt install user-mode-linux),
# which sees this machine's files read-only. As root:
#   attack/cgroup2.sh target/release/turncoat PYTHON-WITH-NUMPY [PROGRAM…]
# Binary and Python must be readable to everybody.
set -u
here=$(dirname "$(realpath "$0")")
if [ $$ != 1 ]; then
    given="TURNCOAT=$(realpath "$1") PYTHON=$2"
    programs=${*:3}
    exec timeout 3000 linux.uml mem=2500M rootfstype=hostfs rootflags=/ ro init="$here/cgroup2.sh" quiet con=null con0=fd:0,fd:1 \
        $given PROGRAMS="${programs// /,}" </dev/null
fi

# From here on it is the first process of the guest, and what was given is in its environment.
exec >/dev/tty0 2>&1 </dev/null
export PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/mnt TMPDIR=/mnt TURNCOAT_PYTHON=$PYTHON
group=/sys/fs/cgroup
mount -t proc proc /proc && mount -t sysfs sys /sys && mount -t tmpfs -o mode=1777 tmp /mnt && mount -t cgroup2 cgroup $group
as_user="setpriv --reuid=61234 --regid=61234 --clear-groups --inh-caps=-all"

# Plays one program and says whether it ended as its header expects, without a breach.
play() {
    local file=$here/programs/$1.py folder log
    folder=$(mktemp -d) && chmod 777 "$folder" && cd "$folder" && mkdir -m 755 bots && cp "$file" bots/hostile.py
    chmod 644 bots/hostile.py
    $2 "$TURNCOAT" match py:bots/hostile.py greedy --games 2 --openings random:0 --concurrency 1 --json -q --time 600s \
        --logs logs $(sed -n 's/^# options://p' "$file") >out 2>err
    local reasons expect wrong=""
    reasons=$(grep -o '"reason":"[a-z-]*"' out | cut -d'"' -f4 | sort -u)
    expect=$(sed -n 's/^# expect://p' "$file" | sed 's/plays/finished/;s/memory/out-of-memory/')
    [ -n "$reasons" ] || wrong="nothing was played: $(tail -1 err)"
    for reason in $reasons; do [[ " $expect " == *" $reason "* ]] || wrong="$reason, not $expect: $(grep -o '"detail":"[^"]*"' out | head -1)"; done
    grep -rhq '^BREACH' logs && wrong=$(grep -rh '^BREACH' logs | head -1)
    echo "${wrong:+WRONG }$1: ${wrong:-$reasons}"
    cd / && rm -rf "$folder"
}

all() { for name in ${PROGRAMS//,/ }; do play "$name" "$1"; done; }
[ -n "$PROGRAMS" ] || PROGRAMS=$(cd "$here/programs" && ls memory_*.py processes_*.py ponder_*.py calls_refused.py | sed 's/\.py$//')
echo "== $(uname -r), root"
"$TURNCOAT" check --sandbox
all ""
# What systemd does for a user: a group of one's own, with its controllers.
echo "+memory +pids" >$group/cgroup.subtree_control
mkdir $group/user && echo "+memory +pids" >$group/user/cgroup.subtree_control && mkdir $group/user/scope
for folder in $group/user $group/user/scope; do
    chown 61234:61234 $folder $folder/cgroup.procs $folder/cgroup.subtree_control
done
echo $BASHPID >$group/user/scope/cgroup.procs
echo "== an ordinary user with a delegated group"
$as_user "$TURNCOAT" check --sandbox
all "$as_user"
echo "groups left: $(find $group -name 'turncoat-*' | wc -l)"
echo o >/proc/sysrq-trigger
sleep 5

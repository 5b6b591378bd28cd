# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Memcgs view, live at one second, against htop at one second: both at the same time, each on a terminal of 120x40.
# Of the CPU that each took over 20 s the ratio may be 1 at most, and reclaimtop may have 10 MiB in memory.
#
# usage: top_vs_htop.sh [SECONDS]; exit status 77 where there is no tmux or no htop

SECONDS_EACH=${1:-20}
RSS_MOST_KIB=10240
: "${RECLAIMTOP:=build/reclaimtop}"

for program in tmux htop; do
	command -v $program >/dev/null || { echo "left out: there is no $program"; exit 77; }
done
work=$(mktemp -d) || exit 1
socket=$work/tmux
tm() { env -u TMUX HOME="$work" tmux -S "$socket" -f /dev/null "$@" 2>/dev/null; }
trap 'tm kill-server; rm -rf "$work"' EXIT

# start NAME COMMAND: its process id in $work/NAME
start() {
	tm new-session -d -x 120 -y 40 -s "$1" "echo \$\$ >$work/$1; exec $2"
}

# cpu_us PID: what all of its threads have run so far
cpu_us() {
	if [ -r "/proc/$1/schedstat" ]; then
		cat /proc/"$1"/task/*/schedstat | awk '{ ns += $1 } END { printf "%d\n", ns / 1000 }'
	else
		sed 's/.*) //' "/proc/$1/stat" | awk -v hz="$(getconf CLK_TCK)" '{ printf "%d\n", ($12 + $13) * 1e6 / hz }'
	fi
}
rss_kib() { awk '$1 == "VmRSS:" { print $2 }' "/proc/$1/status"; }

start ours "'$RECLAIMTOP' --view memcgs -d 1"
start htop 'htop -d 10'
sleep 3
ours=$(cat "$work/ours") htop=$(cat "$work/htop")
kill -0 "$ours" && kill -0 "$htop" || { echo 'one of the two did not start'; exit 1; }
tm capture-pane -p -t ours | grep -q Memcgs || { echo 'the Memcgs view is not on screen'; exit 1; }

ours_before=$(cpu_us "$ours") htop_before=$(cpu_us "$htop")
sleep "$SECONDS_EACH"
ours_cpu=$(($(cpu_us "$ours") - ours_before)) htop_cpu=$(($(cpu_us "$htop") - htop_before))
ours_rss=$(rss_kib "$ours") htop_rss=$(rss_kib "$htop")

awk -v ours=$ours_cpu -v htop=$htop_cpu -v s="$SECONDS_EACH" -v rss="$ours_rss" -v their="$htop_rss" -v most=$RSS_MOST_KIB 'BEGIN {
	printf "CPU in %d s: reclaimtop %.1f ms, htop %.1f ms: ratio %.2f, at most 1\n", s, ours / 1000, htop / 1000, ours / htop
	printf "resident: reclaimtop %d KiB, htop %d KiB; at most %d KiB\n", rss, their, most
	exit !(ours <= htop && rss <= most)
}'

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
#
# What is checked of the results of a guest, on the host.  Each check says what it compared.  It is
# given the folder of the scenario's results in $at, and these: $label, $release, $newer (empty
# or the release that stands in for the series), $count nodes, $nodes as "online" lists them, $cpus,
# $mglru (the expected state after boot).

# expect NAME WHAT IT SAYS: the test command that follows must hold.
expect() {
	name=$1 says=$2
	shift 2
	if "$@"; then verdict=ok; else verdict=FAIL; fi
	printf '%s %s: %s -- %s\n' "$verdict" "$label" "$name" "$says"
	case $verdict$newer in
	ok*) passed=$((passed + 1)) ;;
	FAIL) failed=$((failed + 1)) ;;
	*) tolerated=$((tolerated + 1)) ;;
	esac
}

# By how much, in per cent, the first is off the second.
off() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%+.1f", (b > 0 ? 100 * (a - b) / b : 999) }'; }

# within NAME OURS KERNEL WHAT: ours is at most 20 % off.
within() {
	share=$(off "$2" "$3")
	expect "$1" "$2 for the kernel's $3, $share %${4:+; $4}" \
		awk -v s="$share" 'BEGIN { exit !(s >= -20 && s <= 20) }'
}

note() { printf 'note %s: %s\n' "$label" "$1"; }

counter() { awk -v k="$2" '$1 == k { print $2; found = 1 } END { if (!found) print "none" }' "$1"; }
line() { head -n 1 "$1" 2>/dev/null | tr '\t' ' '; }
apart() { awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; print d < 0 ? -d : d }'; }

# The paths that lru_gen names, without memcgs that are dying (id 0), each once.
paths() {
	awk '/^memcg +[0-9]+ / {
		id = $2
		match($0, /^memcg +[0-9]+ /)
		if (id != 0) print substr($0, RLENGTH + 1)
	}' "$1" | sort -u
}

# Pages in all generations of all memcgs.  $2: column, 3 for anon, 4 for file.
pages_of() { awk -v c="$2" '/^ +[0-9]/ && NF == 4 { n += $c } END { print n + 0 }' "$1"; }

# Lruvecs: node blocks.
lruvecs() { grep -c '^ node ' "$1"; }

folders() { (cd "$1/sys/fs/cgroup" && find . -type d | sed 's/^[.]$/\//; s/^[.]//') | sort -u; }

check_status() {
	expect "$1 ran" "exit status $(line "$at/status")" [ "$(line "$at/status")" = 0 ]
}

# shellcheck disable=SC1090
for file in "$here"/checks/*.sh; do
	. "$file"
done

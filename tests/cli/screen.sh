# SPDX-License-Identifier: GPL-2.0-or-later
#
# The screen as a terminal emulator shows it: columns that stand, names of any width, stopping and going on.
set -u
command -v tmux >/dev/null || { echo 'there is no tmux'; exit 77; }

dir=$(mktemp -d) || exit 1
n=0
tmux="tmux -S $dir/socket0 -f /dev/null"
trap '$tmux kill-server 2>/dev/null; rm -rf "$dir"' EXIT
unset TMUX

die() {
	echo "$*"
	$tmux capture-pane -p 2>/dev/null
	exit 1
}

# sees TEXT: until the screen shows it, at most ten seconds
sees() {
	for _ in $(seq 100); do
		$tmux capture-pane -p | grep -qF -e "$1" && return 0
		sleep 0.1
	done
	die "never on screen: $1"
}

# back: until the shell reads keys again. Its old prompt is on screen before that.
back() {
	for _ in $(seq 100); do
		[ "$($tmux display-message -p '#{pane_current_command}')" = sh ] && sees 'ready>' && return 0
		sleep 0.1
	done
	die 'the shell does not come back'
}

# on COLSxROWS LOCALE ARGS...: a shell with the program in it
on() {
	$tmux kill-server 2>/dev/null
	n=$((n + 1))
	tmux="tmux -S $dir/socket$n -f /dev/null"
	$tmux new-session -d -x "${1%x*}" -y "${1#*x}" "env -i PATH='$PATH' HOME='$dir' TERM=screen-256color LC_ALL=$2 sh" ||
		{ echo 'tmux does not start'; exit 77; }
	shift 2
	$tmux send-keys "PS1='ready> '; stty -a >'$dir/before'" Enter
	sees 'ready>'
	$tmux send-keys "clear; $RECLAIMTOP $*" Enter
}

# columns PATTERN: how many columns the first line takes that holds it
columns() {
	$tmux capture-pane -p | grep -m1 -e "$1" |
		sed 's/│/|/g; s/[▼▲]/v/g; s/é/e/g; s/中/xx/g' | tr -d '\n' | wc -c
}

# columns_stand LOCALE: what is behind a name ends in the column of its title, however wide its letters are.
# https://github.com/htop-dev/htop/issues/421
columns_stand() {
	on 100x30 "$1" --root tests/roots/7.2-oddnames --view memcgs --filter utf8
	sees '/utf8-'
	title=$(columns '^memcg ')
	row=$(columns '^/utf8-')
	[ "$title" -eq "$row" ] || die "in $1 the row ends at $row, its title at $title"
	$tmux send-keys q
	back
}
columns_stand C.UTF-8
columns_stand C

# A stop gives a clean screen with echo; going on draws all of it, in the size that the window then has.
on 80x24 C.UTF-8 --root tests/roots/7.2-pressure --view memcgs
sees '[3 Memcgs]'
$tmux send-keys C-z
back
$tmux capture-pane -p | grep -q 'Memcgs' && die 'the screen is still there after a stop'
$tmux send-keys "stty -a >'$dir/stopped'; echo stopped" Enter
sees 'stopped'
cmp -s "$dir/before" "$dir/stopped" || die "modes while stopped: $(diff "$dir/before" "$dir/stopped")"
$tmux resize-window -x 120 -y 40
$tmux send-keys fg Enter
sees '[3 Memcgs]'
sees 'oldest'
$tmux send-keys q
back
$tmux send-keys "stty -a >'$dir/after'; echo 'all done'" Enter
sees 'all done'
# The size has changed; nothing else may.
sed 's/rows [0-9]*; columns [0-9]*;//' "$dir/before" >"$dir/before2"
sed 's/rows [0-9]*; columns [0-9]*;//' "$dir/after" >"$dir/after2"
cmp -s "$dir/before2" "$dir/after2" || die "modes after the end: $(diff "$dir/before2" "$dir/after2")"
$tmux capture-pane -p | grep -q 'Memcgs' && die 'the screen is still there after the end'

# A window that shrinks to nearly nothing, and grows again.
on 120x40 C.UTF-8 --root tests/roots/7.2-pressure --view pagesets
sees '[4 Pagesets]'
for size in 80x24 60x20 39x7 12x3 2x2 60x20; do
	$tmux resize-window -x "${size%x*}" -y "${size#*x}"
	sleep 0.2
done
sees '4 Pages'
$tmux send-keys q
back
exit 0

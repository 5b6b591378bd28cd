# SPDX-License-Identifier: GPL-2.0-or-later
#
# What tests that watch the program in tmux have in common: to be read by them (. tests/tmux.sh) from the tree's root. $dir is
# a folder for them that goes with them, `look` says what the screen shows, `press` presses keys.
command -v tmux >/dev/null || { echo 'there is no tmux'; exit 77; }

dir=$(mktemp -d) || exit 1
n=0
tmux="tmux -S $dir/socket0 -f /dev/null"
trap '$tmux kill-server 2>/dev/null; rm -rf "$dir"' EXIT
unset TMUX

look() { $tmux capture-pane -p 2>/dev/null; }
press() { $tmux send-keys "$@"; }
resize() { $tmux resize-window -x "${1%x*}" -y "${1#*x}"; }

die() {
	echo "$*"
	look
	exit 1
}

# sees TEXT: until the screen shows it, at most ten seconds
sees() {
	for _ in $(seq 100); do
		look | grep -qF -e "$1" && return 0
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

# shell COLSxROWS LOCALE TERM: a new window with a shell, its modes noted
shell() {
	$tmux kill-server 2>/dev/null
	n=$((n + 1))
	tmux="tmux -S $dir/socket$n -f /dev/null"
	$tmux new-session -d -x "${1%x*}" -y "${1#*x}" "env -i PATH='$PATH' HOME='$dir' TERM=$3 LC_ALL=$2 sh" ||
		{ echo 'tmux does not start'; exit 77; }
	press "PS1='ready> '; stty -a >'$dir/before'" Enter
	sees 'ready>'
}

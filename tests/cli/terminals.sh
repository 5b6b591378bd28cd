# SPDX-License-Identifier: GPL-2.0-or-later
#
# The same session in the terminals that people have: tmux, GNU screen, the Linux console's terminfo and xterm. Each view comes
# up and its numbers go on, a new size is taken up, the end gives back the shell with its modes.
set -u
. tests/tmux.sh
without=

# tour: all views; the program was just started, the shell comes back at the end
tour() {
	for view in '1 Overview' '2 Generations' '3 Memcgs' '4 Pagesets' '5 Processes' '6 Time'; do
		press "${view%% *}"
		sees "[$view]"
		sees 'h Help'
	done
	press 2
	sees 'the edge'
	clock=$(look | grep -o '18:[0-9][0-9]:[0-9][0-9]' | head -n 1)
	for _ in $(seq 50); do
		[ "$(look | grep -o '18:[0-9][0-9]:[0-9][0-9]' | head -n 1)" != "$clock" ] && break
		sleep 0.1
	done
	[ "$(look | grep -o '18:[0-9][0-9]:[0-9][0-9]' | head -n 1)" != "$clock" ] || die "it stands at $clock"
	resize 60x20
	sees '[2 Gens]'
	[ "$(look | grep -c .)" -le 20 ] || die 'more lines than there are'
	resize 80x24
	sees '[2 Generations]'
	press q
}

# gives_back: the shell works, has the modes that it had, and the screen is as before
gives_back() {
	press "stty -a >'$dir/after'; echo all' 'done" Enter
	sees 'all done'
	look | grep -q 'Generations' && die 'the screen is still there after the end'
	for file in before after; do
		sed 's/rows [0-9]*; columns [0-9]*;//' "$dir/$file" >"$dir/$file.modes"
	done
	cmp -s "$dir/before.modes" "$dir/after.modes" || die "modes: $(diff "$dir/before.modes" "$dir/after.modes")"
}

# In tmux, as itself and as a Linux console that shows eight colours.
for term in tmux-256color linux; do
	shell 80x24 C.UTF-8 $term
	press "clear; $RECLAIMTOP demo" Enter
	tour
	back
	gives_back
done

# GNU screen sits between the program and tmux.
if command -v screen >/dev/null; then
	mkdir -m 700 "$dir/screens"
	shell 80x24 C.UTF-8 screen-256color
	press "clear; SCREENDIR='$dir/screens' screen -c /dev/null sh" Enter
	sleep 1
	press "PS1='inside> '; clear" Enter
	sees 'inside>'
	press "stty -a >'$dir/before'; clear; $RECLAIMTOP demo" Enter
	tour
	sees 'inside>'
	gives_back
	press exit Enter
	back
else
	without="$without screen"
fi

# A real xterm on a display of its own. It prints what it shows where it is told to by the sequence for a printer.
xterm_starts() {
	exec 3>"$dir/display"
	Xvfb -displayfd 3 -screen 0 1600x1200x24 -nolisten tcp >"$dir/xvfb.log" 2>&1 &
	xvfb=$!
	trap 'kill $xvfb; rm -rf "$dir"' EXIT
	for _ in $(seq 100); do
		[ -s "$dir/display" ] && break
		sleep 0.1
	done
	DISPLAY=:$(cat "$dir/display")
	export DISPLAY
	env -i PATH="$PATH" HOME="$dir" LC_ALL=C.UTF-8 DISPLAY="$DISPLAY" PS1='ready> ' xterm -u8 -geometry 80x24+0+0 \
		-xrm "xterm*printerCommand: cat >$dir/printed" -xrm 'xterm*printAttributes: 0' \
		-e sh -c "tty >'$dir/tty'; stty -a >'$dir/before'; exec sh" >"$dir/xterm.log" 2>&1 &
	for _ in $(seq 100); do
		window=$(xdotool search --onlyvisible --class xterm 2>/dev/null | head -n 1)
		[ -n "$window" ] && [ -s "$dir/tty" ] && return 0
		sleep 0.1
	done
	return 1
}

if command -v Xvfb >/dev/null && command -v xterm >/dev/null && command -v xdotool >/dev/null; then
	$tmux kill-server 2>/dev/null
	look() {
		rm -f "$dir/printed"
		printf '\033[i' >"$(cat "$dir/tty")"
		for _ in $(seq 30); do
			[ -s "$dir/printed" ] && break
			sleep 0.1
		done
		sleep 0.1
		tr -d '\014' <"$dir/printed"
	}
	press() {
		for keys in "$@"; do
			if [ "$keys" = Enter ]; then xdotool key --window "$window" Return
			else xdotool type --window "$window" --delay 20 "$keys"
			fi
		done
	}
	resize() { xdotool windowsize --usehints "$window" "${1%x*}" "${1#*x}"; }

	xterm_starts || die "xterm does not start: $(cat "$dir/xvfb.log" "$dir/xterm.log")"
	xdotool windowfocus "$window" 2>/dev/null
	press "clear; $RECLAIMTOP demo" Enter
	tour
	sees 'ready>'
	gives_back
else
	without="$without xterm"
fi

[ -z "$without" ] || { echo "not tried, since they are not installed:$without"; exit 77; }

# SPDX-License-Identifier: GPL-2.0-or-later
#
# The screen as a terminal emulator shows it: columns that stand, names of any width, stopping and going on.
set -u
. tests/tmux.sh

# on COLSxROWS LOCALE ARGS...: a shell with the program in it
on() {
	shell "$1" "$2" screen-256color
	shift 2
	press "clear; $RECLAIMTOP $*" Enter
}

# columns PATTERN: how many columns the first line takes that holds it
columns() {
	look | grep -m1 -e "$1" |
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
	press q
	back
}
columns_stand C.UTF-8
columns_stand C

# A stop gives a clean screen with echo; going on draws all of it, in the size that the window then has.
on 80x24 C.UTF-8 --root tests/roots/7.2-pressure --view memcgs
sees '[3 Memcgs]'
press C-z
back
look | grep -q 'Memcgs' && die 'the screen is still there after a stop'
press "stty -a >'$dir/stopped'; echo stopped" Enter
sees 'stopped'
cmp -s "$dir/before" "$dir/stopped" || die "modes while stopped: $(diff "$dir/before" "$dir/stopped")"
resize 120x40
press fg Enter
sees '[3 Memcgs]'
sees 'oldest'
press q
back
press "stty -a >'$dir/after'; echo 'all done'" Enter
sees 'all done'
# The size has changed; nothing else may.
sed 's/rows [0-9]*; columns [0-9]*;//' "$dir/before" >"$dir/before2"
sed 's/rows [0-9]*; columns [0-9]*;//' "$dir/after" >"$dir/after2"
cmp -s "$dir/before2" "$dir/after2" || die "modes after the end: $(diff "$dir/before2" "$dir/after2")"
look | grep -q 'Memcgs' && die 'the screen is still there after the end'

# A window that shrinks to nearly nothing, and grows again.
on 120x40 C.UTF-8 --root tests/roots/7.2-pressure --view pagesets
sees '[4 Pagesets]'
for size in 80x24 60x20 39x7 12x3 2x2 60x20; do
	resize $size
	sleep 0.2
done
sees '4 Pages'
press q
back
exit 0

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
# A kernel that dies in early boot is tried again, up to three times, and that is said. The emulator is a
# stand-in here, one that dies as often as it is told.

fake_guest() {
	rm -rf "$dir"
	mkdir -p "$dir/bin"
	cat >"$dir/bin/qemu-system-x86_64" <<-'END'
	#!/bin/sh
	for argument; do
		case $argument in file,id=console,path=*) log=${argument##*path=} ;; esac
	done
	dir=${log%/*}
	echo try >>"$dir/tries"
	if [ "$(wc -l <"$dir/tries")" -le "$DEATHS" ]; then
		echo 'Kernel panic - not syncing: as told' >"$log"
		exit 1
	fi
	printf '%s\n' 'guest: up: none' 'guest: results written' >"$log"
	tar -cf "$dir/results.img" -C "$dir" tries
	END
	chmod +x "$dir/bin/qemu-system-x86_64"
	DEATHS=$1 PATH=$dir/bin:$PATH "$here/guest" -k "$series" -d "$dir" -p "$program" boot 2>"$dir/said"
	echo $? >"$dir/exit"
}

check_retries() {
	label=emulator newer='' dir=$store/run/retries
	fake_guest 2
	expect 'a kernel that dies twice in early boot is tried again' \
		"$(grep -c 'died in early boot' "$dir/said") deaths said, exit $(line "$dir/exit"): $(line "$dir/said")" \
		[ "$(grep -c 'died in early boot (try [12] of 3): Kernel panic' "$dir/said")/$(line "$dir/exit")" = 2/0 ]
	fake_guest 9
	expect 'a kernel that always dies is tried three times' \
		"$(wc -l <"$dir/tries") tries, exit $(line "$dir/exit"): $(tail -n 1 "$dir/said")" \
		[ "$(wc -l <"$dir/tries")/$(line "$dir/exit")" = 3/1 ]
}

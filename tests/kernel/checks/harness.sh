# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016,SC2154
# How kernels are booted. One that dies in early boot, or hangs under emulation, is tried again, up to three times,
# and that is said; what fails on a release that stands in for its series is reported and not counted. The emulator
# is a stand-in here, whose kernels die as often and in such a way as they are told.

# fake_emulator: panic, silent (never up), hung (up, and then nothing more), screen (a prompt, and then nothing
# more), locked (a soft lockup), end (for no reason)
fake_emulator() {
	rm -rf "$dir"
	mkdir -p "$dir/bin"
	cat >"$dir/bin/qemu-system-x86_64" <<-'END'
	#!/bin/sh
	for argument; do
		case $argument in
		file,id=console,path=*) log=${argument##*path=} ;;
		stdio,id=console,*) log=${argument##*logfile=} log=${log%%,*} ;;
		esac
	done
	dir=${log%/*}
	echo try >>"$dir/tries"
	[ "$(wc -l <"$dir/tries")" -gt "$DEATHS" ] || case $HOW in
	panic) echo 'Kernel panic - not syncing: as told' >"$log"; exit 1 ;;
	silent) exec sleep 60 ;;
	screen) echo 'guest: up: none' >"$log"; printf 'root@guest / # '; exec sleep 60 ;;
	hung) echo 'guest: up: none' >"$log"; exec sleep 60 ;;
	locked) printf '%s\n' 'guest: up: none' 'watchdog: BUG: soft lockup - CPU#0 stuck for 26s!' >"$log"; exit 1 ;;
	end) echo 'guest: up: none' >"$log"; exit 1 ;;
	esac
	printf '%s\n' 'guest: up: none' 'guest: results written' >"$log"
	tar -cf "$dir/results.img" -C "$dir" tries
	END
	chmod +x "$dir/bin/qemu-system-x86_64"
}

fake_guest() {
	fake_emulator
	DEATHS=$1 HOW=$2 GUEST_BOOT=3 GUEST_LIFELESS=3 PATH=$dir/bin:$PATH \
		"$here/guest" -k "$series" -d "$dir" -p "$(command -v busybox)" boot 2>"$dir/said"
	echo $? >"$dir/exit"
}

# The same under the console.
fake_screen() {
	fake_emulator
	(
		export DEATHS="$1" HOW="$2" GUEST_LIFELESS=3 PATH="$dir/bin:$PATH"
		program=$(command -v busybox) count=1
		drive_screen
	) >"$dir.heard" 2>&1
	echo $? >"$dir/exit"
	mv "$dir.heard" "$dir/said"
}

# tried NAME SAID TRIES EXIT: it was said so after each try but the last, and then it was done, or given up.
tried() {
	expect "$1" "$(wc -l <"$dir/tries") tries, exit $(line "$dir/exit"): $(tail -n 1 "$dir/said")" \
		[ "$(wc -l <"$dir/tries")/$(line "$dir/exit")/$(grep -c "$2 (try [123] of 3)" "$dir/said")" = "$3/$4/$5" ]
}

check_harness() {
	label=emulator newer='' dir=$store/run/retries
	fake_guest 2 panic
	tried 'a kernel that dies twice in early boot is tried again' 'died in early boot' 3 0 2
	fake_guest 9 panic
	tried 'a kernel that always dies is tried three times' 'died in early boot' 3 1 3
	fake_guest 1 silent
	tried 'a kernel that never comes up is tried again' 'died in early boot' 2 0 1
	fake_guest 1 hung
	tried 'a guest that gives no sign of life is tried again' 'hung under emulation' 2 0 1
	fake_guest 1 locked
	tried 'a guest that locks up is tried again' 'hung under emulation' 2 0 1
	fake_guest 1 end
	tried 'a guest that ends without results otherwise is not' 'hung under emulation' 1 1 0
	fake_screen 9 screen
	tried 'a guest that does not answer under the console is tried three times' 'hung under emulation' 3 1 3
	check_newer
}

# A store with a release in place of its series, which no guest was run of.
stand_in() {
	rm -rf "$dir"
	mkdir -p "$dir/$series"
	echo none >"$dir/$series/vmlinuz"
	echo 99.1-cloud-amd64 | tee "$dir/$series/release" >"$dir/$series/newer"
	CHECK_ONLY=1 GUESTS=one-node KERNELS=$series KERNEL_STORE=$dir O=$build STRICT=$1 "$here/run" >"$dir/said" 2>&1
	echo $? >"$dir/exit"
}

check_newer() {
	stand_in ''
	expect 'what fails on a release in place of its series is reported, and does not fail the run' \
		"exit $(line "$dir/exit"): $(grep -v '^==' "$dir/said" | tr '\n' ';')" \
		[ "$(line "$dir/exit")/$(grep -c -e '^note: .* 99.1-cloud-amd64 is run in its place' -e '^1 failed on a newer release only' -e '^0 passed, 0 failed' "$dir/said")" = 0/3 ]
	stand_in 1
	expect 'with STRICT=1 it does' "exit $(line "$dir/exit"): $(tail -n 1 "$dir/said")" \
		[ "$(line "$dir/exit")/$(tail -n 1 "$dir/said")" = '1/0 passed, 1 failed' ]
}

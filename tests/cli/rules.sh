# SPDX-License-Identifier: GPL-2.0-or-later
#
# The house's rules, as far as text shows them: who may include what, the one file that opens kernel files,
# the one that includes curses, the one that reads a clock, a licence line everywhere, and no word of any
# machine's own folders.

# complain WHAT: each line of standard input is one. (It runs behind a pipe, so it leaves them in a file.)
complain() { sed "s|^|$1: |" >>"$TMPDIR/complaints"; }
: >"$TMPDIR/complaints"

program=$(find collectors include model ui -name '*.[ch]' 2>/dev/null | sort)
tests=$(find tests \( -name roots -o -name cases \) -prune -o -name '*.[ch]' -print | sort)
scripts=$(find tests \( -name roots -o -name cases \) -prune -o -type f -print | sort |
	while read -r file; do
		case $file in
		*.sh | *.awk) echo "$file" ;;
		*) head -n 1 "$file" | grep -q -a '^#!' && echo "$file" ;;
		esac
	done)
[ -n "$program" ] || { echo 'there is no source'; exit 1; }

# shellcheck disable=SC2086
awk -f tests/cli/code.awk $program >"$TMPDIR/code"

# A call by this name, that is no member's (ops->open) and no longer name's (perf_open).
calls() { grep -E "(^|[^A-Za-z0-9_.>])($1)[ \t]*\("; }

# ---- one line of licence ----
for file in $program $tests $scripts Makefile bootstrap .ci/run .gitignore .clang-format; do
	head -n 2 "$file" | grep -q 'SPDX-License-Identifier: GPL-2.0-or-later' || echo "$file"
done | complain 'no SPDX line'

# ---- one file for curses, one for kernel files, one for the clock ----
grep -E 'include[ \t]*<(n?curses|ncursesw/.*|panel|menu|form|term)\.h>' "$TMPDIR/code" |
	grep -v '^ui/tui/term\.c:' | complain 'curses outside ui/tui/term.c'

# Others may open what is the user's own (a file that is written or replayed, scores, the terminal), never the kernel's.
opener='open|openat|open64|creat|fopen|fopen64|fdopen|freopen|opendir|fdopendir|scandir|popen'
calls "$opener" <"$TMPDIR/code" |
	grep -v -E '^(collectors/kernfs\.c|collectors/recording/[a-z_]*\.c|ui/tui/(term|tty)\.c|ui/cli/(scores|keepfile)\.c):' |
	complain 'a file opened outside collectors/kernfs.c'

calls 'clock_gettime|gettimeofday|time|clock|ftime|timespec_get' <"$TMPDIR/code" |
	grep -v '^model/clock\.c:' | complain 'a clock read outside model/clock.c'

# ---- the model is pure; a last word before abort() is no output ----
grep '^model/' "$TMPDIR/code" | grep -v 'fprintf(stderr,' | calls 'printf|puts|fprintf|fputs|fwrite|read|write|sleep|usleep|getenv|system' |
	complain 'input or output in the model'

# ---- who may include what ----
# A quoted name stands for the seams (reclaimtop/...), or for a file of the same top folder (in ui/, of tui/
# or cli/). The screen sees frames, not where they come from.
sed -n 's/^\([^:]*\):[0-9]*:[ \t]*#[ \t]*include[ \t]*"\([^"]*\)".*/\1 \2/p' "$TMPDIR/code" |
while read -r file name; do
	case $file in
	collectors/*) own=collectors ;;
	model/*) own=model ;;
	ui/tui/*) own=ui/tui ;;
	*) own= ;;
	esac
	case $file:$name in
	*:reclaimtop/*)
		[ -e "include/$name" ] || echo "$file: $name is not there"
		case $file:$name in
		ui/tui/*:reclaimtop/kernfs.h | ui/tui/*:reclaimtop/collect*)
			echo "$file: $name: the screen sees frames, never collectors" ;;
		include/*) ;;
		esac
		;;
	ui/cli/*) ;;
	include/*) echo "$file: $name: a seam includes only seams" ;;
	*:*..*) echo "$file: $name: name it by its folder" ;;
	*)
		folder=$(dirname "$file")
		if [ ! -e "$folder/$name" ]; then
			case $name in
			version.h) ;;
			"$own"/*) [ -e "$name" ] || echo "$file: $name is not there" ;;
			*) echo "$file: $name: not of its own folder" ;;
			esac
		fi
		;;
	esac
done | complain 'include'

# Own header first.
for file in $(find collectors model ui -name '*.c' | sort); do
	base=${file##*/}
	base=${base%.c}
	first=$(sed -n 's/^#include ["<]\(.*\)[">].*/\1/p' "$file" | head -n 1)
	# A header of the same folder comes before one of the seams that happens to have its name.
	case $file in
	ui/*) order="$base.h reclaimtop/$base.h" ;;
	*) order="reclaimtop/$base.h $base.h" ;;
	esac
	for own in $order; do
		case $own in
		reclaimtop/*) there=include/$own ;;
		*) there=$(dirname "$file")/$own ;;
		esac
		[ -e "$there" ] || continue
		[ "$first" = "$own" ] || [ "$first" = "$there" ] || echo "$file includes $first before $own"
		break
	done
done | complain 'own header first'

# ---- nothing of anybody's machine ----
# shellcheck disable=SC2086
grep -n -E '[s]hared/|/[w]ork/' $program $tests $scripts Makefile bootstrap README.md docs/*.md 2>/dev/null |
	complain "somebody's own folder"

cat "$TMPDIR/complaints"
[ ! -s "$TMPDIR/complaints" ]

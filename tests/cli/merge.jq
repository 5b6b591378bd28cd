# SPDX-License-Identifier: GPL-2.0-or-later
#
# Lines of --json in (slurped), whole samples out: the counters, generations and pagesets of each, put together again as
# docs/format.md says and by nothing else. Ages are rounded to seconds, since they may be 100 ms off.

# An item's identity: its keys, and how many with the same stand before it.
def id($keys): [. as $x | $keys[] | $x[.]] | tojson;
def numbered($keys):
	reduce .[] as $x ({n: {}, out: []};
		($x | id($keys)) as $id
		| .out += [$x + {id: [$id, (.n[$id] // 0)]}]
		| .n[$id] = (.n[$id] // 0) + 1)
	| .out;
# An item may be named by its first key alone where only one item before has that.
def named($keys; $old):
	(if has($keys[-1]) then . else
		. as $x | ([$old[] | select(.[$keys[0]] == $x[$keys[0]])][0]) as $o
		| . + ([$keys[] | {key: ., value: $o[.]}] | from_entries)
	end)
	| . + {id: [id($keys), (.nth // 0)]};

# What stands at a place is put there, the others fill the rest in their order.
def placed:
	. as $all
	| reduce ($all[] | select(.at)) as $x ([$all[] | null]; .[$x.at] = $x)
	| reduce ($all[] | select(.at | not)) as $x (.; .[index([null])] = $x);

def list($old; $changed; $gone; $keys; change):
	($old | numbered($keys)) as $old
	| (if $gone == true then [$old[].id] else [($gone // [])[] | named($keys; $old) | .id] end) as $gone
	| [($changed // [])[] | named($keys; $old)] as $changed
	| [$old[] | select(.id as $id | $gone | index([$id]) | not)] as $kept
	| [$kept[] | . as $x
		| ([$changed[] | select(.id == $x.id)][0] // {}) as $c
		| [$x, $c] | change | if $c.at then .at = $c.at else . end]
	  + [$changed[] | select(.id as $id | [$kept[].id] | index([$id]) | not) | . as $c | [{}, $c] | change + {at: $c.at}
		| del(.at | nulls)]
	| placed
	| map(del(.id, .nth, .at, .gone));

def counters($old; $new): ($old // {}) + ($new // {}) | with_entries(select(.value != null));

# vmstat's lists by zone, where a line leaves them out, are those by node.
def lists($old):
	if .["="] == "vmstat" then
		. as $new | reduce ("inactive_anon", "active_anon", "inactive_file", "active_file", "unevictable") as $l (del(.["="]);
			if ($new["nr_" + $l] | type) == "number" and ($old["nr_zone_" + $l] != null) and
				($new | has("nr_zone_" + $l) | not)
			then .["nr_zone_" + $l] = $new["nr_" + $l] else . end)
	else . end;

def gens($ms; $gone):
	.[0] as $old | .[1] as $new
	| [$old[] | select(.[0] as $seq | if $gone == true then true else ($gone // []) | index([$seq]) end | not)
		| .[1] += $ms
		| . as $row | [$new[] | select(.[0] == $row[0])][0]
		| if . then (if .[1] == "=" then .[1] = $row[1] else . end) else $row end]
	  + [$new[] | select(.[0] as $seq | [$old[][0]] | index([$seq]) | not)];

def lruvec($ms): . as [$x, $c] | $x + $c
	| .gens = ([$x.gens // [], $c.gens // []] | gens($ms; $c.gone.gens));

def zone: . as [$x, $c] | $x + $c
	| .pagesets = list($x.pagesets // []; $c.pagesets; $c.gone.pagesets; ["cpu"]; .[0] + .[1]);

def picked: {mono_us, n,
	vmstat: (.vmstat // {} | to_entries | sort),
	gens: [(.lru_gen // [])[] | {memcg, path, node, gens: [.gens[] | .[0:1] + .[2:4]], ages: [.gens[][1]]}],
	pagesets: [(.zones // [])[] | {node, zone, free, pagesets: [(.pagesets // [])[] | [.cpu, .count, .high]]}]};

reduce (.[] | select(.type == "sample")) as $s ({now: {}, all: []};
	if $s.key then .now = $s
	else (($s.mono_us / 1000 | floor) - (.now.mono_us / 1000 | floor)) as $ms
		| .now.mono_us = $s.mono_us | .now.n = $s.n
		| .now.vmstat = (.now.vmstat as $old | counters($old; ($s.vmstat // {}) | lists($old)))
		| .now.lru_gen = list(.now.lru_gen // []; $s.lru_gen; $s.gone.lru_gen; ["memcg", "path", "node"]; lruvec($ms))
		| .now.zones = list(.now.zones // []; $s.zones; $s.gone.zones; ["node", "zone"]; zone)
	end
	| .all += [.now | picked])
| .all[]

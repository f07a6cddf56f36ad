#!/usr/bin/env bash
# One whole round: data, training, export, evaluation. README.md says what each step is for.
#
#   training/run.sh SPIDER OUT              everything on one machine with an accelerator
#   training/run.sh SPIDER OUT here         what needs Spider and the training extra; makes OUT/bundle
#   training/run.sh - OUT there             what needs the accelerator and OUT/bundle alone
#   training/run.sh SPIDER OUT back         export OUT/run and judge it on the tune split
#
# SPIDER holds questions.jsonl and databases/*.sqlite. A step whose result is there is not done again.
# PYTHON names the interpreter, CORES its processes, MINUTES the time of training, STEPS a number of steps instead
# (which repeats the same batches), SEED their order, SITE a folder of unpacked wheels, LIMIT how many questions of each
# kind are asked at the end. For a trial on a small machine: SCHEMAS, PER_SCHEMA, COPIES, and TRAIN for more options.
set -euo pipefail

[ $# -ge 2 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2; }
SPIDER=$1 OUT=$(mkdir -p "$2" && cd "$2" && pwd) WHAT=${3:-all}
[ "$SPIDER" = - ] || SPIDER=$(cd "$SPIDER" && pwd)
cd "$(dirname "$0")/.."
PYTHON=${PYTHON:-python3} CORES=${CORES:-$(getconf _NPROCESSORS_ONLN)}
MINUTES=${MINUTES:-20} STEPS=${STEPS:-0} SEED=${SEED:-1} TRAIN=${TRAIN:-}
SCHEMAS=${SCHEMAS:-9000} PER_SCHEMA=${PER_SCHEMA:-60}
WRITTEN="business enterprise trade industry offices care warehouse finance public factory service general society culture"
COPIES=${COPIES:-spider=9 business=10 enterprise=8 trade=7 industry=7 offices=7 care=7 warehouse=7 finance=7 public=7 factory=7 service=7 general=7 society=7 culture=7 systems=18 demo=18 verdicts=18}
BUNDLE=$OUT/bundle DATA=$OUT/data RUN=$OUT/run
STAGES='[[0.6, {"spider": 1.3, "general": 0.2, "society": 0.1, "culture": 0.2, "business": 0.35, "enterprise": 0.18,
                "trade": 0.14, "industry": 0.14, "offices": 0.14, "care": 0.14, "warehouse": 0.14,
                "finance": 0.13, "public": 0.13, "factory": 0.13, "service": 0.13, "systems": 5.0, "demo": 0.1, "synthetic": 1.2, "verdicts": 0.5}],
         [1.0, {"spider": 1.5, "general": 0.2, "society": 0.1, "culture": 0.2, "business": 0.4, "enterprise": 0.2,
                "trade": 0.16, "industry": 0.16, "offices": 0.16, "care": 0.16, "warehouse": 0.16,
                "finance": 0.15, "public": 0.15, "factory": 0.15, "service": 0.15, "systems": 5.4, "demo": 0.15, "synthetic": 0.6, "verdicts": 0.7}]]'
export PYTHONPATH=$PWD/src:$PWD${SITE:+:$SITE}${PYTHONPATH:+:$PYTHONPATH} PYTHONUNBUFFERED=1

say() { echo "$(date +%T) $*" >&2; }
# make_file FILE command…: run a command that writes to a name of its own, and keep the file only when it succeeded.
make_file() { local file=$1; shift; [ -e "$file" ] || { say "$file"; "$@" --out "$file.part"; mv "$file.part" "$file"; }; }
step() { local name=$1; shift; "$PYTHON" -m "training.$name" "$@"; }

here() {
  mkdir -p "$BUNDLE"
  make_file "$BUNDLE/spider.groups.jsonl" step seeds spider --folder "$SPIDER"
  local written whole
  for written in $WRITTEN; do
    [ "$written" = business ] && whole= || whole=--whole
    make_file "$OUT/$written" step business --specs "training/data/$written"
    make_file "$BUNDLE/$written.groups.jsonl" \
      step seeds business --schemas "training/data/$written" --databases "$OUT/$written" $whole
  done
  make_file "$BUNDLE/systems.groups.jsonl" step systems groups training/data/systems
  make_file "$BUNDLE/demo.groups.jsonl" step demo
  make_file "$BUNDLE/verdicts.groups.jsonl" step verdicts --groups "$BUNDLE/systems.groups.jsonl"
  make_file "$BUNDLE/tokenizer.json" step base tokenizer
  # Each round goes on from the weights of the last: its data is most of what they know. They lie on their 4-bit grid, so
  # training sees rounded weights from the first step (ROUNDED_FROM): what is learned in between, rounding takes back (LOG.md).
  make_file "$BUNDLE/base" step export parts --folder src/inquery/llm/embedded/models/inquery-writer
}

# sitting NAME FIRST END WORKERS: the copies from FIRST to END sixths of each source, into DATA/NAME.jsonl.
sitting() {
  local item source groups=() copies=()
  for source in spider $WRITTEN systems demo verdicts; do groups+=("$BUNDLE/$source.groups.jsonl"); done
  for item in $COPIES; do copies+=("${item%=*}=$(((${item#*=} * $2 + 5) / 6)):$(((${item#*=} * $3 + 5) / 6))"); done
  make_file "$DATA/$1.jsonl" step prepare --groups "${groups[@]}" --copies "${copies[@]}" --workers "$4"
}

# What training takes in while it goes on: made-up schemas and the rest of the copies.
later() {
  local some=$(((CORES * 2 + 15) / 16)) engine=
  if [ ! -e "$DATA/synthetic" ]; then
    make_file "$DATA/synthetic" step engine --schemas "$SCHEMAS" --per-schema "$PER_SCHEMA" --seed 5 --workers "$some" > "$DATA/synthetic.log" &
    engine=$!
  fi
  sitting second 1 3 $((CORES > some + 3 ? CORES - some - 3 : 1))
  [ -z "$engine" ] || wait "$engine"
  make_file "$DATA/made.jsonl" step prepare --groups "$DATA"/synthetic/synthetic.*.jsonl --workers $((CORES > 3 ? CORES - 3 : 1))
  sitting third 3 6 $((CORES > 3 ? CORES - 3 : 1))
}

# The weights so far as parts, each time training has saved them: what a machine that goes away does not take along, once
# they are brought home. A later run goes on from them as its base.
keep_parts() {
  local seen= now number=0
  while sleep 5; do
    now=$(stat -c %Y "$RUN/model.safetensors" 2> /dev/null) || continue
    [ "$now" = "$seen" ] && continue
    seen=$now number=$((number + 1))
    make_file "$RUN/parts.$number" step export parts --state "$RUN/model.safetensors"
  done
}

there() {
  mkdir -p "$DATA" "$RUN"
  sitting first 0 1 "$CORES"
  [ -e "$RUN/parts" ] || {
    rm -f "$RUN/train.jsonl"
    later > "$DATA/later.log" 2>&1 &
    local others=$!
    keep_parts > "$RUN/parts.log" 2>&1 &
    others="$others $!"
    until [ -e "$BUNDLE/base" ]; do sleep 1; done # weights that come to this machine after the data
    say "train"
    step train --data "$DATA/first.jsonl" --more "$DATA/second.jsonl" "$DATA/made.jsonl" "$DATA/third.jsonl" \
      --base "$BUNDLE/base" --tokenizer "$BUNDLE/tokenizer.json" --out "$RUN" --save-every "${SAVE:-4}" \
      --minutes "$MINUTES" --steps "$STEPS" --seed "$SEED" --lr ${LR:-2e-4} --qat-from ${ROUNDED_FROM:-0} --average 0.97 --config '{"dropout": 0.1}' --stages "$STAGES" \
      --workers $((CORES > 6 ? CORES - 6 : 1)) $TRAIN
    kill $others 2> /dev/null || true
  }
  make_file "$RUN/parts" step export parts --state "$RUN/model.safetensors"
}

back() {
  make_file "$OUT/model" step export folder --parts "$RUN/parts" --tokenizer "$BUNDLE/tokenizer.json"
  local lang
  for lang in en zh; do
    step evaluate --groups "$BUNDLE/spider.groups.jsonl" --databases "$SPIDER/databases" \
      --model "$OUT/model" --lang "$lang" ${LIMIT:+--limit "$LIMIT"} --out "$OUT/tune.$lang.jsonl" | tee "$OUT/tune.$lang.json"
    step evaluate --groups "$BUNDLE/business.groups.jsonl" --databases "$OUT/business" \
      --model "$OUT/model" --lang "$lang" ${LIMIT:+--limit "$LIMIT"} --out "$OUT/business.$lang.jsonl" | tee "$OUT/business.$lang.json"
  done
}

case $WHAT in
  all) here; there; back ;;
  here | there | back) "$WHAT" ;;
  *) echo "unknown part: $WHAT" >&2; exit 2 ;;
esac

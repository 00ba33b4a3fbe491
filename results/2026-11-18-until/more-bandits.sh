# Policies and numbers of arms that bandits.sh leaves out, at 95 %: more-bandits.sh TESUJI > more-bandits.jsonl
set -eu
ask() {
  within=$1 n=$2 budget=$3 runs=$4
  shift 4
  "$program" bandit --arms 1:$n --arms A:$n --arms S:$n --arms N:$n --arms uniform:$n --arms twelfths:$n \
    --budget $budget --runs $runs -j 1 --until 95% --within $within --json "$@" \
    | sed "s/^{/{\"level\":\"95%\",\"within\":$within,/" | tr -d '\n'
  echo
}
program=$1
for within in 0 0.02 0.05; do
  ask $within 2 4000 200 --policy vct --policy ttts
  ask $within 20 4000 200 --policy vct --policy ttts
  ask $within 400 40000 100 --policy sh --policy 'sh(lambda=0.7)' --policy uniform
done

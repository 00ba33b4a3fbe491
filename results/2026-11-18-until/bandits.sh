# The share of runs that stop, those of them that are right, and the samples spent: bandits.sh TESUJI > bandits.jsonl
set -eu
for level in 80% 90% 95% 99%; do
  for within in 0 0.02 0.05; do
    for setting in '2 4000' '5 4000' '20 10000' '80 20000'; do
      n=${setting% *} budget=${setting#* }
      list="--arms [0.5,0.49]"
      [ "$n" = 2 ] || list=""
      "$1" bandit --arms 1:$n --arms A:$n --arms S:$n --arms N:$n --arms uniform:$n --arms twelfths:$n $list \
        --budget $budget --policy sh --policy 'sh(lambda=0.7)' --policy 'ucb(c=0.4)' --policy ucb1 --policy uniform \
        --runs 300 -j 1 --until $level --within $within --json | sed "s/^{/{\"level\":\"$level\",\"within\":$within,/" | tr -d '\n'
      echo
    done
  done
done

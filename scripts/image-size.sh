#!/bin/sh
# Prints how large our layers of each image are, above the base that they share, and fails where they are larger than
# promised (IMAGE=MB):
#   sh scripts/image-size.sh subscription-sandbox=40 subscription-sandbox:slim=12
set -eu
base=$(docker image inspect --format '{{.Size}}' node:24-bookworm-slim)
code=0
for each in "$@"; do
  image=${each%=*}
  most=${each##*=}
  whole=$(docker image inspect --format '{{.Size}}' "$image")
  ours=$((whole - base))
  awk -v image="$image" -v ours="$ours" -v base="$base" -v most="$most" 'BEGIN {
    printf "%-32s ours %5.1f MB (at most %d), base %5.1f MB\n", image, ours / 1e6, most, base / 1e6
  }'
  docker history --human=false --format '{{.Size}} {{.CreatedBy}}' "$image" |
    awk '$1 > 0 && NF > 1 { size = $1; $1 = ""; printf "  %10.2f MB %s\n", size / 1e6, substr($0, 1, 90) }' |
    head -n 4
  [ "$ours" -le $((most * 1000000)) ] || code=1
done
exit $code

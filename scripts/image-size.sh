#!/bin/sh
# Prints how large each image is, and how much of it is above its base, which slim has not. Fails where that is larger
# than promised (IMAGE=MB):
#   sh scripts/image-size.sh subscription-sandbox=40 subscription-sandbox:slim=150
set -eu
code=0
for each in "$@"; do
  image=${each%=*}
  most=${each##*=}
  case $image in
    *:slim) base=0 ;;
    *) base=$(docker image inspect --format '{{.Size}}' node:24-bookworm-slim) ;;
  esac
  whole=$(docker image inspect --format '{{.Size}}' "$image")
  ours=$((whole - base))
  awk -v image="$image" -v ours="$ours" -v whole="$whole" -v most="$most" 'BEGIN {
    printf "%-32s %5.1f MB, %5.1f above its base (at most %d)\n", image, whole / 1e6, ours / 1e6, most
  }'
  docker history --human=false --format '{{.Size}} {{.CreatedBy}}' "$image" |
    awk '$1 > 0 && NF > 1 { size = $1; $1 = ""; printf "  %10.2f MB %s\n", size / 1e6, substr($0, 1, 90) }' |
    head -n 4
  [ "$ours" -le $((most * 1000000)) ] || code=1
done
exit $code

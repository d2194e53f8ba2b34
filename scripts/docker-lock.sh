#!/bin/sh
# Shows with a real Docker engine that one container at a time has a volume, and that the next one takes it over as soon
# as the first is killed, with everything that was acknowledged:
#   docker build --network host --tag subscription-sandbox . && sh scripts/docker-lock.sh
# Nothing leaves this machine: the containers share its network, and with it one host name, and listen on loopback.
set -eu
image=${IMAGE:-subscription-sandbox}
port=${PORT:-4010}
volume=lock-$$
customers=http://127.0.0.1:$port/sandbox/customers

serve() {
  name=$1
  shift
  docker run --network host --volume "$volume:/data" --name "$volume-$name" "$@" "$image" \
    serve --host 127.0.0.1 --data /data
}
ready() {
  for _ in $(seq 100); do
    curl --silent --fail --output /dev/null "http://127.0.0.1:$port/health/ready" && return
    sleep 0.05
  done
  echo 'It did not get ready.' >&2
  exit 1
}
make() { curl --silent --fail --output /dev/null --json "{\"customer_id\":\"$1\"}" "$customers"; }
clean() {
  docker rm --force "$volume-first" "$volume-second" >/dev/null 2>&1 || true
  docker volume rm "$volume" >/dev/null
}
trap clean EXIT

serve first --env "PORT=$port" --detach >/dev/null
ready
make before

serve second --env "PORT=$((port + 1))" --detach >/dev/null
code=$(timeout 20 docker wait "$volume-second" || echo none)
docker logs "$volume-second"
[ "$code" = 3 ] || { echo "The second container has not ended with 3, but $code." >&2; exit 1; }
make beside

for round in $(seq 10); do
  make "round-$round"
  docker kill "$volume-first" >/dev/null
  docker start "$volume-first" >/dev/null
  ready
done
kept=$(curl --silent "$customers?limit=100")
for customer in before beside $(seq --format 'round-%.0f' 10); do
  case $kept in
    *"\"$customer\""*) ;;
    *) echo "Customer $customer is gone." >&2; exit 1 ;;
  esac
done
echo 'The second container was refused; 10 kills and starts lost nothing.'

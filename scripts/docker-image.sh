#!/usr/bin/env bash
# Builds both images with a real Docker engine, lives through what their users do, and prints what it saw:
#   bash scripts/docker-image.sh
# Nothing leaves this machine: the containers share its network and listen on loopback.
set -euo pipefail
cd "$(dirname "$0")/.."

full=subscription-sandbox
slim=subscription-sandbox:slim
port=${PORT:-4870}
url=http://127.0.0.1:$port
name=image-$$
folder=$(mktemp -d)
output=$folder/output

clean() {
  docker rm --force --volumes "$name" >/dev/null 2>&1 || true
  docker volume rm "$name" >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap clean EXIT
trap 'echo "FAILED: line $LINENO" >&2' ERR

saw() { printf '%-66s %s\n' "$1" "$2"; }
fail() {
  printf 'FAILED: %s\n' "$1" >&2
  tail -n 20 "$output" >&2 || true
  exit 1
}

# Runs a container to its end: the expected exit code, then what docker run takes.
ends() {
  local expected=$1 code=0
  shift
  timeout 120 docker run --rm --network host "$@" >"$output" 2>&1 || code=$?
  [[ $code == "$expected" ]] || fail "docker run $* ended with $code, not $expected"
}
# The last run has to have printed this.
printed() { grep --quiet --fixed-strings -- "$1" "$output" || fail "\"$1\" was not printed"; }

# Starts a container that serves, in the background.
starts() {
  docker run --detach --network host --name "$name" "$@" >/dev/null
  for _ in $(seq 200); do
    curl --silent --fail --output /dev/null "$url/health/ready" && return
    sleep 0.05
  done
  docker logs "$name" >"$output" 2>&1
  fail "docker run $* did not get ready"
}
healthy() {
  local health=''
  for _ in $(seq 150); do
    health=$(docker inspect --format '{{.State.Health.Status}}' "$name")
    [[ $health == healthy ]] && return
    sleep 0.1
  done
  fail "it is $health"
}
# Stops it as an orchestrator does; it has to end by itself, with 0.
stops() {
  local before code
  before=$(date +%s%N)
  docker stop --time 30 "$name" >/dev/null
  took=$((($(date +%s%N) - before) / 1000000))
  code=$(docker inspect --format '{{.State.ExitCode}}' "$name")
  docker rm --volumes "$name" >/dev/null
  [[ $code == 0 && $took -lt 5000 ]] || fail "it ended with $code after $took ms"
}
status() { curl --silent --output /dev/null --write-out '%{http_code}' "$@"; }

docker build --quiet --network host --target slim --tag "$slim" . >"$output" 2>&1 || fail 'docker build --target slim'
docker build --quiet --network host --tag "$full" . >"$output" 2>&1 || fail 'docker build'
sh scripts/image-size.sh "$full=40" "$slim=150"

# They have bases of their own, so that the Dockerfile says their settings twice.
for setting in User Volumes Healthcheck Entrypoint Cmd ExposedPorts; do
  format="{{json .Config.$setting}}"
  [[ $(docker image inspect --format "$format" "$full") == "$(docker image inspect --format "$format" "$slim")" ]] ||
    fail "$setting of the images differ"
done

for image in "$full" "$slim"; do
  starts "$image" --port "$port" --host 127.0.0.1
  healthy && stops
  saw "$image: options alone, after the name" "healthy, SIGTERM ends it in $took ms"
  starts --env "SANDBOX_PORT=$port" --env SANDBOX_HOST=127.0.0.1 --env SANDBOX_FIXTURE=dunning "$image"
  healthy && stops
  saw "$image: the same as variables" "healthy, SIGTERM ends it in $took ms"
  starts --read-only --volume "$name:/data" "$image" --port "$port" --host 127.0.0.1
  curl --silent --fail --output /dev/null --json '{"customer_id":"cus_'"${#image}"'"}' "$url/sandbox/customers"
  curl --silent --no-buffer "$url/sandbox/events/stream" >/dev/null &
  sleep 0.5
  healthy && stops
  wait
  starts --read-only --volume "$name:/data" "$image" --port "$port" --host 127.0.0.1
  [[ $(status "$url/sandbox/customers/cus_${#image}") == 200 ]] || fail 'The customer is gone'
  stops
  saw "$image: --read-only, with a volume, one client streaming" "SIGTERM in $took ms, the data is there again"
done

[[ $(docker run --rm --network host --entrypoint sh "$full" -c 'find /app \( -name "*.map" -o -name "*.d.ts" -o -name README.md \) -print') == '' ]] ||
  fail 'There are maps, types or documents in it'
saw 'maps, types and documents below /app' none

pacts=/app/contracts/pacts
for extra in '' --read-only; do
  # shellcheck disable=SC2086
  ends 7 $extra "$full" exec -- node -e \
    'fetch(`${process.env.SANDBOX_URL}/sandbox`).then(async (answer) => { console.log(await answer.text()); process.exit(7) })'
  printed '"sandbox_id":"default"'
  saw "docker run $extra IMAGE exec -- node ..." 'the command reaches its sandbox, and its exit code comes back'
  for command in "check $pacts" "verify $pacts" 'openapi --json' '--help'; do
    # shellcheck disable=SC2086 # words
    ends 0 $extra "$full" $command
    saw "docker run $extra IMAGE $command" "$(grep --extended-regexp --only-matching '[0-9]+ (of [0-9]+ )?(interactions|verified|passed)[^.]*' "$output" | tail -n 1 || true) ends with 0"
  done
  # shellcheck disable=SC2086
  ends 0 $extra --volume "$name:/data" "$full" doctor
  saw "docker run $extra IMAGE doctor" 'ends with 0: the volume is sound'
done
docker run --detach --network host --name "$name" "$full" verify --vary "$pacts" >/dev/null
sleep 2
before=$(date +%s%N)
docker stop --time 30 "$name" >/dev/null
took=$((($(date +%s%N) - before) / 1000000))
code=$(docker inspect --format '{{.State.ExitCode}}' "$name")
docker rm --volumes "$name" >/dev/null
[[ $code == 143 && $took -lt 5000 ]] || fail "verify ended with $code after $took ms"
saw 'SIGTERM in the middle of verify' "ends with 143 after $took ms"
ends 127 --entrypoint sh "$slim" -c true
saw "$slim: a shell" 'none'
ends 0 "$slim" doctor
ends 0 --read-only "$slim" exec -- node -e \
  'if (require("node:tls").rootCertificates.length < 100 || process.getuid() !== 1000) process.exit(1)'
saw "$slim: exec -- node ..." 'runs as user 1000, with the certificates of Node'
ends 3 "$slim" verify "$pacts"
printed 'without --target slim'
saw "$slim: verify" "ends with 3: $(cat "$output")"
ends 2 "$full" --prot 1
saw 'a mistyped option' "ends with 2: $(head -n 1 "$output" | cut -c 1-90)"

starts "$full" --port "$port" --host 127.0.0.1
[[ $(status --header "Host: $(docker exec "$name" hostname):$port" "$url/sandbox") == 200 ]] || fail 'its own name is refused'
curl --silent --header "Host: sandbox:$port" "$url/sandbox" >"$output"
printed SANDBOX_ALLOW_HOST
stops
starts --env SANDBOX_ALLOW_HOST=sandbox "$full" --port "$port" --host 127.0.0.1
[[ $(status --header "Host: sandbox:$port" "$url/sandbox") == 200 ]] || fail 'the name of the service is refused'
stops
saw "its own host name, and a service's once SANDBOX_ALLOW_HOST names it" 'answered; before, the refusal names the variable'

mkdir -m 755 "$folder/data"
chown 0:0 "$folder/data"
ends 3 --volume "$folder/data:/data" "$full" --port "$port" --host 127.0.0.1
printed '/data belongs to user 0, and this process runs as user 1000'
fix=$(grep --only-matching 'chown -R 1000:1000 /data' "$output")
saw 'a folder of root' "ends with 3 and says: $fix"
# shellcheck disable=SC2086
docker run --rm --network none --user 0 --entrypoint '' --volume "$folder/data:/data" "$full" $fix
starts --volume "$folder/data:/data" "$full" --port "$port" --host 127.0.0.1
stops
saw 'the same, once that is done' 'ready'
ends 3 --user 4321:4321 --volume "$name:/data" "$full" --port "$port" --host 127.0.0.1
printed 'this process runs as user 4321'
printed '--user 1000:1000'
saw 'a volume of another user' 'ends with 3 and says: --user 1000:1000'
mkdir -m 700 "$folder/own" && chown 4321:4321 "$folder/own"
starts --user 4321:4321 --read-only --volume "$folder/own:/data" "$full" --port "$port" --host 127.0.0.1
healthy && stops
saw 'as user 4321 with its own folder, --read-only' "healthy, SIGTERM in $took ms"

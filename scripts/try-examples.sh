#!/bin/sh
# Tries contracts/examples as somebody without a clone would: each in an empty folder, with the package from `npm pack`, and
# its stock verifier against the broker of a sandbox. Usage: scripts/try-examples.sh [typescript] [java] [go] [python]
set -eu

clone=$PWD
folder=$(mktemp -d)
export PACT_DO_NOT_TRACK=true NO_PROXY=127.0.0.1 no_proxy=127.0.0.1
unset HTTP_PROXY HTTPS_PROXY http_proxy https_proxy

npm run --silent build
npm pack --silent --pack-destination "$folder" > /dev/null
package=$(echo "$folder"/subscription-sandbox-*.tgz)
# As the pages say: the package, and what `verify` needs beside it.
npm install --silent --no-audit --no-fund --prefix "$folder/tool" "$package" \
  @pact-foundation/pact-core@19 @pactflow/openapi-pact-comparator@1
command=$folder/tool/node_modules/.bin/subscription-sandbox
"$command" serve --port 0 --data memory > "$folder/served" &
server=$!
trap 'kill $server; rm -rf "$folder"' EXIT
until grep -q 'is ready at' "$folder/served"; do sleep 0.2; done
sandbox=$(sed -n 's/.*is ready at //p' "$folder/served")

# Starts in a folder that holds one example and nothing else.
copied() {
  mkdir "$folder/$1"
  cp -R "$clone/contracts/examples/$1/." "$folder/$1"
  cd "$folder/$1"
}

published() {
  curl -sf -o /dev/null -X PUT --json @"$2" \
    "$sandbox/sandbox/broker/pacts/provider/subscription-service/consumer/$1/version/1.0"
}

# The pacts of this package, for stock verifiers: documented ones, which hold with every provider.
published_ours() {
  for file in "$clone"/contracts/pacts/*.json; do
    published "$(basename "$file" -subscription-service.json)" "$file"
  done
}

typescript() {
  mkdir "$folder/typescript"
  cp contracts/examples/typescript/package.json contracts/examples/typescript/first-pact.ts "$folder/typescript"
  cd "$folder/typescript"
  npm install --silent --no-audit --no-fund
  npm install --silent --no-audit --no-fund --save-dev "$package"
  for script in pact check verify; do npm run --silent $script; done
}

java() {
  copied java
  mvn -q -B test
  "$command" verify target/pacts
  mvn -q -B pact:publish -Dsandbox="$sandbox"
  published_ours
  mvn -q -B test -Dsandbox="$sandbox" -Dpact.verifier.publishResults=true \
    -Dpact.provider.version=2.0 -Dpact.provider.branch=main -Dpact.provider.tag=prod
  mvn -q -B pact:can-i-deploy -Dsandbox="$sandbox" -Dpacticipant=my-java-shop -DpacticipantVersion=1.0
  curl -sf "$sandbox/sandbox/broker/pacticipants/subscription-service/versions/2.0" | grep '"prod"'
}

go() {
  copied go
  npm install --silent --no-audit --no-fund --prefix native @pact-foundation/pact-core@16.0.0
  native=$(dirname "$PWD"/native/node_modules/@pact-foundation/pact-core-*/prebuilds/*/libpact_ffi.so)
  with="env CGO_LDFLAGS=-L$native LD_LIBRARY_PATH=$native"
  $with go test -run Upgrades ./...
  "$command" verify pacts
  published my-go-shop pacts/my-go-shop-subscription-service.json
  published_ours
  $with SANDBOX_URL="$sandbox" go test -count=1 -run Verifies ./...
}

python() {
  copied python
  python3 -m venv venv
  venv/bin/pip install --quiet -r requirements.txt
  venv/bin/python first_pact.py pacts
  "$command" verify pacts
  published my-python-shop pacts/my-python-shop-subscription-service.json
  published_ours
  venv/bin/python verify_pacts.py "$sandbox"
  curl -sf "$sandbox/sandbox/broker/pacticipants/subscription-service/versions/2.0" | grep '"prod"'
}

for language in "${@:-typescript java go python}"; do
  # Unquoted, because by default it is the whole list.
  for each in $language; do
    ("$each")
    echo "The example in $each works."
  done
done

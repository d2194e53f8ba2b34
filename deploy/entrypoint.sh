#!/bin/sh
# The entry of the image: options alone are those of serve, anything else is a command of the command line.
case ${1-} in
  -h | --help | -V | --version) ;;
  '' | -*) set -- serve "$@" ;;
  check | verify)
    if [ ! -d /app/node_modules/@pact-foundation ]; then
      echo "$1 needs the Pact core, which this image is without; use the one that is built without --target slim." >&2
      exit 3
    fi
    ;;
esac
exec node /app/dist/cli/main.js "$@"

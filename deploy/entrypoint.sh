#!/bin/sh
# The entry of the image: options alone are those of serve, anything else is a command of the command line.
case ${1-} in
  -h | --help | -V | --version) ;;
  '' | -*) set -- serve "$@" ;;
esac
exec node /app/dist/cli/main.js "$@"

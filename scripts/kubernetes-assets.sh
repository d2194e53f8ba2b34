#!/usr/bin/env bash
# Builds a Kubernetes API server and its etcd with Go, for test/deploy/kubernetes.test.ts, into the folder that is named:
#   bash scripts/kubernetes-assets.sh ~/kubernetes-assets
#   KUBEBUILDER_ASSETS=~/kubernetes-assets npx vitest run test/deploy/kubernetes.test.ts
# It takes 10 minutes on two cores. Folders that other tools have filled for KUBEBUILDER_ASSETS do too.
set -euo pipefail
version=1.34.2
assets=$(mkdir -p "${1:?Usage: kubernetes-assets.sh FOLDER}" && cd "$1" && pwd)
module=$(mktemp -d)
trap 'rm -rf "$module"' EXIT
cd "$module"

go mod init assets 2>/dev/null
# Kubernetes' own libraries are published under v0, and it names them v0.0.0, which is nowhere.
downloaded=$(go mod download -json "k8s.io/kubernetes@v$version" | sed -n 's/.*"GoMod": "\(.*\)".*/\1/p')
sed -En 's|^[[:space:]]*(k8s\.io/[^ ]+) v0\.0\.0( .*)?$|\1|p' "$downloaded" | sort -u | while read -r library; do
  go mod edit -replace "$library=$library@v${version/#1./0.}"
done
go mod edit -require "k8s.io/kubernetes@v$version"
builds() {
  CGO_ENABLED=0 go build -mod=mod -trimpath -ldflags "-s -w ${3-}" -o "$assets/$1" "$2"
}
builds etcd go.etcd.io/etcd/server/v3
builds kube-apiserver k8s.io/kubernetes/cmd/kube-apiserver "-X k8s.io/component-base/version.gitVersion=v$version"
"$assets/kube-apiserver" --version
"$assets/etcd" --version | head -n 1
echo "KUBEBUILDER_ASSETS=$assets"

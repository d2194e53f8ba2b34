# Builds the sandbox, then copies only what it needs to run. `--target slim` is Node alone, without a shell, and without the
# Pact core and the comparator, which verify and check need.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Nothing that is installed has to be built; the sandbox is, once its source is there.
RUN npm ci --ignore-scripts
COPY tsconfig*.json openapi.yaml llms.txt ./
COPY scripts scripts
COPY src src
COPY fixtures fixtures
COPY contracts/pacts contracts/pacts
# In one folder each, so that each is one layer.
RUN npm run build \
  && find dist \( -name '*.map' -o -name '*.d.ts' \) -delete \
  && mkdir -p /image/app /pact/app \
  && cp -r package.json dist fixtures contracts openapi.yaml llms.txt /image/app \
  && node scripts/image-files.mjs /image/app fs-native-extensions standardwebhooks \
  && node scripts/image-files.mjs /pact/app @pact-foundation/pact-core @pactflow/openapi-pact-comparator
COPY deploy/entrypoint.mjs /image/app/
# Node, the libraries that it and the lock load, and where names are looked up: all that slim has of Debian. Node brings its
# own certificates.
RUN mkdir -p /volume/data /node/etc /node/tmp && chmod 1777 /node/tmp \
  && ldd /usr/local/bin/node $(find /image/app/node_modules -name '*.node') \
  | grep -o '/[^ :]*\.so[^ :]*' | sort -u | xargs cp --dereference --parents --target-directory /node \
  && cp --parents /usr/local/bin/node /node \
  && grep -E '^(root|node):' /etc/passwd > /node/etc/passwd \
  && grep -E '^(root|node):' /etc/group > /node/etc/group \
  && echo 'hosts: files dns' > /node/etc/nsswitch.conf

FROM scratch AS slim
COPY --from=build /node /
COPY --from=build --chown=1000:1000 /volume /
COPY --from=build /image /
ENV PATH=/usr/local/bin
USER node
VOLUME /data
# Inside a container nothing reaches loopback, so the sandbox listens on every address of it. What is written for a
# moment goes to memory: everything else may be read-only.
ENV NODE_ENV=production SANDBOX_HOST=0.0.0.0 SANDBOX_DATA=/data TMPDIR=/dev/shm
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 CMD ["node", "/app/dist/cli/health.js"]
ENTRYPOINT ["node", "/app/entrypoint.mjs"]
CMD ["serve"]

# Debian and not Alpine: the lock on the data folder and the Pact core are native, and want its C library. The settings are
# those of slim, which cannot be inherited from another base.
FROM node:24-bookworm-slim
RUN mkdir /data && chown node:node /data
COPY --from=build /image /
COPY --from=build /pact /
USER node
VOLUME /data
ENV NODE_ENV=production SANDBOX_HOST=0.0.0.0 SANDBOX_DATA=/data TMPDIR=/dev/shm
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 CMD ["node", "/app/dist/cli/health.js"]
ENTRYPOINT ["node", "/app/entrypoint.mjs"]
CMD ["serve"]

# Builds the sandbox, then copies only what it needs to run. `--target slim` is without the Pact core and the comparator,
# which verify and check need.
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

# Debian and not Alpine: the lock on the data folder and the Pact core are native, and want its C library.
FROM node:24-bookworm-slim AS slim
RUN mkdir /data && chown node:node /data
COPY --from=build /image /
COPY deploy/entrypoint.sh /app/
USER node
VOLUME /data
# Inside a container nothing reaches loopback, so the sandbox listens on every address of it. What is written for a
# moment goes to memory: everything else may be read-only.
ENV NODE_ENV=production SANDBOX_HOST=0.0.0.0 SANDBOX_DATA=/data TMPDIR=/dev/shm
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 CMD ["node", "/app/dist/cli/health.js"]
ENTRYPOINT ["/app/entrypoint.sh"]
CMD ["serve"]

FROM slim
COPY --from=build /pact /

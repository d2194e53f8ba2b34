# Builds the sandbox, then keeps only what it needs to run: dist holds what it is bundled with, and node_modules the
# lock on the data folder, and the Pact core and the comparison, which verify and check load when they are asked for.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/dist dist
COPY --from=build /app/node_modules node_modules
COPY fixtures fixtures
COPY contracts contracts
COPY openapi.yaml llms.txt ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
ENV PORT=4010
EXPOSE 4010
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Inside a container nothing reaches loopback, so the sandbox listens on every address of it.
ENTRYPOINT ["node", "dist/cli/main.js"]
CMD ["serve", "--host", "0.0.0.0", "--data", "/data"]

# One image for the worker and the API, and one with the sandbox. The command selects the process (docker-compose.yml).
# Debian, not Alpine, because Temporal's native core requires glibc. The Node of tools/node, which runs the tests.
# To pin it by digest: docs/deployment.md, "Pin the base image".
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools/node ./tools/node
RUN npm ci
COPY . .
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools/node ./tools/node
# Only the native core of this image's system is needed. The list of packages is kept as an SBOM.
RUN npm ci --omit=dev && npm cache clean --force \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
  && npm pkg delete devDependencies && npm sbom --sbom-format=cyclonedx > sbom.cdx.json

FROM ${NODE_IMAGE} AS base
# The core verifies Temporal's TLS certificate with the system's certificate authorities, which the slim image lacks.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY package.json ./
COPY --from=packages /app/sbom.cdx.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist

# With the simulated provider, to try the product.
FROM base AS sandbox
# The sandbox's data. A volume mounted here inherits the owner.
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
EXPOSE 8090
CMD ["node", "dist/sandbox/main.js"]

FROM base AS production
RUN rm -r dist/sandbox
# The user `node` by number, so that an orchestrator can see that it is not root.
USER 1000:1000
# API 8080 and its admin port 8081, metrics of the worker 9464.
EXPOSE 8080 8081 9464
CMD ["node", "dist/worker/main.js"]

# One image for the worker, the API and the sandbox. The command selects the process (docker-compose.yml).
# Debian, not Alpine, because Temporal's native core requires glibc.

FROM node:22.20.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM node:22.20.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev && npm cache clean --force

FROM node:22.20.0-bookworm-slim
# The core verifies Temporal's TLS certificate with the system's certificate authorities, which the slim image lacks.
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production
WORKDIR /app
COPY package.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The sandbox's data. A volume mounted here inherits the owner.
RUN mkdir /data && chown node:node /data
USER node
# API 8080 and its admin port 8081, sandbox 8090, metrics of the worker 9464.
EXPOSE 8080 8081 8090 9464
CMD ["node", "dist/worker/main.js"]

# bearhug as the agent or the coordinator of a run in Kubernetes: docs/kubernetes.md.
#   docker build --build-arg BEARHUG_VERSION=0.1.0 -t registry.example/bearhug:0.1.0 .

FROM node:24-alpine3.22 AS install
ARG BEARHUG_VERSION
WORKDIR /bearhug
RUN : "${BEARHUG_VERSION:?missing. Add --build-arg BEARHUG_VERSION=0.1.0}"
RUN npm install --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund "bearhug@$BEARHUG_VERSION"

# Without npm: only what runs.
FROM alpine:3.22
# hadolint ignore=DL3018
RUN apk add --no-cache libstdc++ tini
COPY --from=install /usr/local/bin/node /usr/local/bin/node
COPY --from=install /bearhug/node_modules /bearhug/node_modules
# A number, so that Kubernetes sees that it is not root. Any other user works, too: nothing outside /tmp is written.
USER 65532:65532
ENV HOME=/tmp
WORKDIR /tmp
ENTRYPOINT ["/sbin/tini", "--", "node", "/bearhug/node_modules/bearhug/bin/bearhug.js"]

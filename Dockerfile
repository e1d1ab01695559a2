# The image of a release. It takes the archive, and builds nothing:
#   npm run release && docker build --build-arg VERSION=0.3.0 --tag beak:0.3.0 .

FROM node:24-bookworm-slim AS release
ARG VERSION
WORKDIR /tmp/release
COPY build/release/beak-${VERSION}.tar.gz build/release/beak-${VERSION}.tar.gz.sha256 ./
RUN sha256sum -c beak-${VERSION}.tar.gz.sha256 \
  && mkdir -p /opt/beak \
  && tar -xzf beak-${VERSION}.tar.gz -C /opt/beak --strip-components=1 --no-same-owner

FROM node:24-bookworm-slim
# Nothing is installed here, so nothing needs npm.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn /usr/local/bin/yarnpkg /opt/yarn-* \
  && mkdir -m 700 /data \
  && chown 1000:1000 /data \
  && ln -s /opt/beak/beak /usr/local/bin/beak
COPY --from=release /opt/beak /opt/beak
# The service writes only to this folder. Run the container with a read-only file system.
ENV DATA_DIR=/data
VOLUME /data
WORKDIR /opt/beak
# A number, so that Kubernetes knows that it is not root.
USER 1000:1000
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=90s --retries=3 CMD ["node", "beak.mjs", "health"]
ENTRYPOINT ["node", "beak.mjs"]
CMD ["start"]

# syntax=docker/dockerfile:1
# Swift's image builds a binary with its runtime linked in. What it needs of Debian to run, and nothing else, is the
# image. No file names an architecture: the images of the first two stages choose it.

FROM swift:6.3-bookworm AS build
# What Swift's image lacks. Not pinned: a Debian point release replaces the version.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libsqlite3-dev libssl-dev zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
# The dependencies are fetched in a layer of their own, which a change of sources leaves alone.
COPY Package.swift ./
RUN swift package resolve --scratch-path .build-release
COPY deploy/docker deploy/docker
COPY openapi.yaml ./
COPY clients/js/traitd.js clients/js/traitd.js
COPY ui ui
COPY Sources Sources
# SwiftPM needs the folder of every target, those of the tests and of the client too.
COPY Tests Tests
COPY clients/swift/Sources clients/swift/Sources
RUN deploy/docker/build.sh /out

FROM debian:bookworm-slim AS root
# libcurl is for --log alone, and loaded only then.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates libcurl4 libsqlite3-0 libstdc++6 zlib1g \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY LICENSE ./
COPY deploy/docker/root.sh deploy/docker/
COPY deploy/examples/ipad-mail.json deploy/examples/acme-configuration.json deploy/examples/
COPY --from=build /out/traitd /out/traitd
RUN mkdir /root/image && deploy/docker/root.sh /out/traitd /root/image

FROM scratch
COPY --from=root /root/image/ /
ENV PATH=/usr/local/bin
# Some clusters run containers as any user, who is in the group 0 as this one is.
USER 10001:0
EXPOSE 8080
# For --data-dir /var/lib/traitd; without that option sessions live in memory.
VOLUME /var/lib/traitd
# SIGTERM drains: streams end with a token to resume from, requests in flight finish, then it exits.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=2s --retries=3 \
    CMD ["traitd", "healthcheck"]
ENTRYPOINT ["traitd"]
# No client can reach a container's own loopback, so the server binds all addresses of IPv6 and IPv4. Without --tokens
# every client that reaches it may do everything: publish the port only to clients that may use it.
CMD ["--host", "::", "--port", "8080", "--allow-anonymous"]

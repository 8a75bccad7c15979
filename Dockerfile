# Builds the server and leaves it in an image with nothing but what it needs to run.

FROM swift:6.3-bookworm AS build
RUN apt-get update \
 && apt-get install -y --no-install-recommends libmicrohttpd-dev libpq-dev libssl-dev libcurl4-openssl-dev libjansson-dev libjemalloc-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --product assent --static-swift-stdlib \
 && install -D -s .build/release/assent /out/bin/assent
COPY migrations /out/share/assent/migrations
COPY openapi /out/share/assent/openapi

FROM debian:12-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends libmicrohttpd12 libpq5 libssl3 libcurl4 libjansson4 libjemalloc2 libstdc++6 ca-certificates curl \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --system --uid 10001 --no-create-home --shell /usr/sbin/nologin assent
COPY --from=build /out /usr/local
USER assent
# Inside the container every address; who reaches it is decided by what publishes the port.
ENV ASSENT_HOST=0.0.0.0 ASSENT_PORT=8080
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["sh", "-c", "curl -fsS -o /dev/null http://127.0.0.1:$ASSENT_PORT/readyz"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["assent"]
CMD ["serve"]

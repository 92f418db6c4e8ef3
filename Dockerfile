FROM python:3.14-slim AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY requirements.lock ./
# The lock file has three parts: to run, to build and to develop. The environment of the service gets the first part,
# and the environment that builds the package gets the first two.
RUN python -m venv --without-pip /service \
    && python -m venv /builder \
    && sed '/^# to build/,$d' requirements.lock > run.lock \
    && /builder/bin/pip --python /service install --no-cache-dir --no-compile --require-hashes --no-deps -r run.lock \
    && sed '/^# to develop/,$d' requirements.lock > build.lock \
    && /builder/bin/pip install --no-cache-dir --require-hashes --no-deps -r build.lock
COPY openapi.yaml pyproject.toml README.md ./
COPY service service
RUN /builder/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir wheels . \
    && /builder/bin/pip --python /service install --no-cache-dir --no-compile --no-deps wheels/*.whl

FROM python:3.14-slim
ARG SOURCE="" REVISION=""
LABEL org.opencontainers.image.title="Best Move" \
      org.opencontainers.image.description="A move oracle for tic-tac-toe" \
      org.opencontainers.image.version="1.0.0" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.revision="${REVISION}"
ENV PATH=/service/bin:$PATH PYTHONUNBUFFERED=1 HOST=0.0.0.0 PORT=8000
COPY --from=build /service /service
RUN groupadd --gid 10001 service \
    && useradd --uid 10001 --gid service --no-create-home --shell /usr/sbin/nologin service
WORKDIR /service
# The service runs once during the build, to test that it starts and answers, and to write bytecode. Containers cannot
# write bytecode, so otherwise Python would compile the modules at each start.
RUN HOST=127.0.0.1 best-move serve & server=$!; \
    until python -c "import http.client; c = http.client.HTTPConnection('127.0.0.1', $PORT); c.request('GET', '/best-move?board=.........'); c.getresponse()" 2> /dev/null; do \
        kill -0 $server && sleep 0.2 || exit 1; \
    done; \
    kill $server && wait $server
ENV PYTHONDONTWRITEBYTECODE=1
USER 10001:10001
EXPOSE 8000
# The check uses a plain socket, because the import of an HTTP library takes twice as long as the rest of the check, and
# some libraries would send the request through a proxy.
HEALTHCHECK --interval=30s --timeout=3s --start-period=5s \
    CMD ["python", "-c", "import os, socket; s = socket.create_connection(('127.0.0.1', int(os.environ.get('PORT') or 8000)), timeout=2); s.sendall(b'GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n'); exit(b' 200 ' not in s.recv(64))"]
# Compose files may pass an empty HOST, which means the image's default.
CMD ["sh", "-c", "HOST=${HOST:-0.0.0.0} exec best-move serve"]

# syntax=docker/dockerfile:1
FROM python:3.13-slim AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY requirements.lock ./
# The lock has three parts: to run, to build, to develop. The image's environment gets the first, a second one builds.
RUN python -m venv /service \
    && sed '/^# to build/,$d' requirements.lock > run.lock \
    && /service/bin/pip install --no-cache-dir --require-hashes --no-deps -r run.lock \
    && sed '/^# to develop/,$d' requirements.lock > build.lock \
    && pip install --no-cache-dir --require-hashes --no-deps -r build.lock
COPY pyproject.toml README.md ./
COPY service service
RUN pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir wheels . \
    && /service/bin/pip install --no-cache-dir --no-deps wheels/*.whl

FROM python:3.13-slim
# Writes nothing to its disk: docker run --read-only works.
ENV PATH=/service/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 HOST=0.0.0.0 PORT=8000
COPY --from=build /service /service
RUN useradd --system --no-create-home --uid 10001 service
USER 10001
WORKDIR /service
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=3s --start-period=5s \
    CMD ["python", "-c", "import os, urllib.request; urllib.request.urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/health', timeout=2)"]
CMD ["best-move", "serve"]

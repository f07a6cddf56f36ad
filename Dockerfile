# The page, then the package in an environment of its own, then only what runs.
FROM node:22-slim AS page
WORKDIR /page/web
COPY web/package.json web/package-lock.json web/.npmrc ./
RUN npm install --omit=dev --no-save --no-audit --no-fund
COPY web/ ./
RUN npm run build

FROM python:3.11-slim AS package
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /build
RUN python -m venv /opt/inquery
COPY pyproject.toml constraints.txt README.md CHANGELOG.md LICENSE NOTICE ./
COPY src ./src
COPY --from=page /page/src/inquery/web_dist ./src/inquery/web_dist
RUN /opt/inquery/bin/pip install -c constraints.txt \
    '.[page,postgres,mysql,ssh,clickhouse,mssql,trino,oracle,redis,milvus,anthropic,ollama,export,charts,otel]'

FROM python:3.11-slim
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin inquery \
    && install -d -o inquery -g inquery -m 0700 /data
COPY --from=package /opt/inquery /opt/inquery
ENV PATH=/opt/inquery/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    INQUERY_HOME=/data \
    INQUERY_SERVER__HOST=0.0.0.0 \
    INQUERY_SERVER__PORT=8765
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8765
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8765/health/live', timeout=4)"]
ENTRYPOINT ["inquery"]
CMD ["serve"]

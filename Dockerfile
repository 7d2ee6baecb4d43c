# The image of the packed package. Before it: npm pack -w packages/server
FROM node:24-slim
RUN apt-get update && apt-get install --yes --no-install-recommends bubblewrap && rm -rf /var/lib/apt/lists/*
COPY quartermaster-*.tgz /packed/
# The S3 client is for QM_ATTACHMENTS=s3://. npm stays: it fetches MCP servers at run time.
RUN npm install --global --ignore-scripts --cache /tmp/npm /packed/quartermaster-*.tgz @aws-sdk/client-s3@3 && rm -rf /tmp/npm && mkdir /data && chown node:node /data
USER node
ENV NODE_ENV=production QM_HOST=0.0.0.0 QM_PORT=7420 QM_DATA_DIR=/data QM_LOG=json
VOLUME /data
EXPOSE 7420
HEALTHCHECK --start-period=60s --start-interval=1s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.QM_PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["quartermaster", "serve"]

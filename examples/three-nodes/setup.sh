#!/bin/sh
# Writes secrets for compose.yaml to .env, unless it exists.
set -eu
cd "$(dirname "$0")"
[ -e .env ] && { echo ".env exists."; exit 0; }
umask 077
cat >.env <<EOF
POSTGRES_PASSWORD=$(openssl rand -hex 24)
QM_SECRET_KEY=$(openssl rand -base64 32)
S3_SECRET_KEY=$(openssl rand -hex 24)
EOF
echo "Wrote .env. Store a copy of QM_SECRET_KEY: without it, stored credentials are lost."

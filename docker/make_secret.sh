#!/bin/sh
# A password for the Neo4j of compose.yaml, made once; the folder is closed to other users of the machine.
set -eu
folder="$(dirname "$0")/secrets"
file="$folder/neo4j_auth"
if [ -s "$file" ]; then
    echo "There is a password in $file already."
    exit 0
fi
mkdir -p "$folder"
chmod 700 "$folder"
password="$(od -An -N18 -tx1 /dev/urandom | tr -d ' \n')"
# Readable inside the containers, whose users are not this one.
printf 'neo4j/%s\n' "$password" > "$file"
chmod 644 "$file"
echo "Made $file."

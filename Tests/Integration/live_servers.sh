# Sourced by run: starts Kinto, PowerDNS and Jupyter Server, and exports their URLs and keys.
# Each part has servers of its own. Those of an earlier part end first: two of PowerDNS cannot share a control socket.
if [ "${#live_pids[@]}" -gt 0 ]; then
    kill "${live_pids[@]}" 2>/dev/null || true
    wait "${live_pids[@]}" 2>/dev/null || true
fi
live_pids=()
need pdns_server pdns-server
# The backend is a library, and no command.
schema=/usr/share/doc/pdns-backend-sqlite3/schema.sqlite3.sql
[ -e "$schema" ] || need pdns-backend-sqlite3 pdns-backend-sqlite3
venv venv-live kinto==26.5.0 jupyter_server==2.21.1
read -r kinto pdns pdns_dns jupyter <<<"$(ports 4)"
live=$work/live
rm -rf "$live" && mkdir -p "$live/notebooks"
"$work/venv-live/bin/kinto" init --ini "$live/kinto.ini" --backend memory --cache-backend memory --host 127.0.0.1 \
    >"$work/kinto.log" 2>&1
sed -i -e "s/%(http_port)s/$kinto/" -e 's/^level = .*/level = WARNING/' \
    -e 's/^\(kinto.bucket_create_principals\).*/\1 = system.Authenticated\nkinto.paginate_by = 5/' "$live/kinto.ini"
"$work/venv-live/bin/kinto" start --ini "$live/kinto.ini" >>"$work/kinto.log" 2>&1 &
pids+=($!) live_pids+=($!)
export PDNS_KEY=pdns-S3cret-Key JUPYTER_TOKEN=jup-S3cret-Token
cat >"$live/pdns.conf" <<END
daemon=no
guardian=no
local-address=127.0.0.1
local-port=$pdns_dns
launch=gsqlite3
gsqlite3-database=$live/pdns.sqlite
api=yes
api-key=$PDNS_KEY
webserver=yes
webserver-address=127.0.0.1
webserver-port=$pdns
socket-dir=$sockets
security-poll-suffix=
END
python3 -c 'import sqlite3, sys
sqlite3.connect(sys.argv[1]).executescript(open(sys.argv[2]).read())' \
    "$live/pdns.sqlite" "$schema"
pdns_server --config-dir="$live" >"$work/pdns.log" 2>&1 &
pids+=($!) live_pids+=($!)
HOME=$live "$work/venv-live/bin/jupyter-server" --allow-root --no-browser --ip 127.0.0.1 --port "$jupyter" \
    --IdentityProvider.token="$JUPYTER_TOKEN" --ServerApp.root_dir="$live/notebooks" >"$work/jupyter.log" 2>&1 &
pids+=($!) live_pids+=($!)
await kinto "http://127.0.0.1:$kinto/v1/"
await jupyter "http://127.0.0.1:$jupyter/api"
await pdns "http://127.0.0.1:$pdns/"
export KINTO_URL=http://127.0.0.1:$kinto/v1 PDNS_URL=http://127.0.0.1:$pdns JUPYTER_URL=http://127.0.0.1:$jupyter
JUPYTER_DOCUMENT=$(echo "$work"/venv-live/lib/*/site-packages/jupyter_server/services/api/api.yaml)
export JUPYTER_DOCUMENT

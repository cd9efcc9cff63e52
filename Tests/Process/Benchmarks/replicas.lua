-- Writes of one trait, or reads, of sessions in turn: wrk -s replicas.lua URL -- put|get SESSIONS [QUERY]
local mode, sessions, query, count = "put", 1, "", 0

function init(arguments)
    mode, sessions, query = arguments[1], tonumber(arguments[2]), arguments[3] or ""
    count = math.random(1000000)
end

function request()
    count = count + 1
    local node = "/v1/sessions/s" .. count % sessions .. "/nodes/root/"
    if mode == "get" then return wrk.format("GET", node .. "traits/theme" .. query) end
    return wrk.format(
        "PUT", node .. "overrides/theme", {["Content-Type"] = "application/json"}, '{"value":' .. count .. "}")
end

function done(summary, latency)
    io.write(string.format(
        '{"requests":%d,"seconds":%.3f,"failures":%d,"p50":%.6f,"p99":%.6f}\n', summary.requests,
        summary.duration / 1e6, summary.errors.status + summary.errors.timeout, latency:percentile(50) / 1e6,
        latency:percentile(99) / 1e6))
end

-- Sends sixteen requests in one write, as a proxy does that has many clients.
local depth = 16
local batch

function init()
    local one = wrk.format()
    batch = string.rep(one, depth)
end

function request()
    return batch
end

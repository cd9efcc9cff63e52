-- Sets the same override to one value after another, so that every request is a commit.
-- Four values, because the server need not see 64 connections' requests in the order in which
-- they were made: two equal ones in a row are a write without an effect, and rare this way.
local requests = {}
local number = 0

function init()
    for position, value in ipairs({ "standard", "pastel", "bold", "monochrome" }) do
        local body = '{"value":"' .. value .. '"}'
        local headers = { ["Content-Type"] = "application/json" }
        requests[position] = wrk.format("PUT", nil, headers, body)
    end
end

function request()
    number = number % #requests + 1
    return requests[number]
end

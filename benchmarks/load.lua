-- wrk script. Environment: OP (get, list, create, answer or mixed), IDS and CURSORS (files, a line each), RESERVE (ids at
-- the start that are only read), NONCE (differs in each run), THREADS.
local threads = {}
function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end

local function lines(path)
  local out = {}
  for line in io.lines(path) do out[#out + 1] = line end
  return out
end

local op, ids, cursors, nonce, step, at
local n = 0
used, ran_out = 0, false

function init()
  op, nonce, step = os.getenv("OP"), os.getenv("NONCE"), tonumber(os.getenv("THREADS"))
  ids, cursors = lines(os.getenv("IDS")), lines(os.getenv("CURSORS"))
  at = tonumber(os.getenv("RESERVE")) + 1 + number - step
  math.randomseed(tonumber(nonce) * 64 + number)
end

local make = {
  get = function() return wrk.format("GET", "/v1/questions/" .. ids[math.random(#ids)]) end,
  list = function()
    local cursor = cursors[math.random(#cursors)]
    return wrk.format("GET", "/v1/questions?state=pending&limit=50" .. (cursor == "-" and "" or "&cursor=" .. cursor))
  end,
  create = function()
    return wrk.format("POST", "/v1/questions", nil,
      '{"person":"user-' .. nonce .. "-" .. number .. "-" .. n .. '","topic":{"kind":"significantAppUpdate","change":"video-calls"}}')
  end,
  answer = function()
    at = at + step
    used = used + 1
    if at > #ids then ran_out = true at = #ids wrk.thread:stop() end
    return wrk.format("POST", "/v1/questions/" .. ids[at] .. "/answers", nil,
      '{"guardian":"guardian-' .. n .. '","answer":"approval"}')
  end,
}
local mix = {"get", "get", "get", "get", "get", "get", "get", "list", "create", "answer"}

function request()
  n = n + 1
  return make[op == "mixed" and mix[math.random(#mix)] or op]()
end

function done(summary, latency, requests)
  local most, over = 0, 0
  for _, thread in ipairs(threads) do
    most = math.max(most, thread:get("used"))
    if thread:get("ran_out") then over = 1 end
  end
  local e = summary.errors
  io.write(string.format('RESULT {"requests":%d,"us":%d,"p50":%d,"p99":%d,"status":%d,"socket":%d,"used":%d,"over":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), e.status,
    e.connect + e.read + e.write + e.timeout, most, over))
end

-- SPDX-License-Identifier: MIT
-- claims.lua -- http-request lua.claims: checks the claims of a JWT whose signature was verified.
-- In: txn.claims, the payload. Out: txn.user; or the request ends with 401 or 403.
local fleece = require "fleece.safe"

local function refuse(txn, status, reason)
  txn:done(txn:reply {
    status = status,
    headers = { ["content-type"] = { "application/json" } },
    body = fleece.encode { error = reason },
  })
end

local function has(list, wanted) -- RFC 7519, 4.1.3: one string, or an array of them
  if type(list) ~= "table" then return list == wanted end
  for _, one in ipairs(list) do
    if one == wanted then return true end
  end
  return false
end

core.register_action("claims", { "http-req" }, function(txn)
  local claims = fleece.decode(txn:get_var("txn.claims") or "", { duplicates = "error" })
  if type(claims) ~= "table" then return refuse(txn, 401, "no claims") end
  local now = core.now().sec
  if type(claims.exp) ~= "number" then return refuse(txn, 401, "no claims") end -- an array has none, too
  if claims.exp <= now then return refuse(txn, 401, "expired") end
  if claims.nbf ~= nil and (type(claims.nbf) ~= "number" or claims.nbf > now) then
    return refuse(txn, 401, "not valid yet")
  end
  if not has(claims.aud, "api") then return refuse(txn, 403, "another audience") end
  if not has(claims.roles, "reader") then return refuse(txn, 403, "not a reader") end
  if type(claims.sub) ~= "string" or claims.sub:find "%c" then return refuse(txn, 401, "no subject") end
  txn:set_var("txn.user", claims.sub)
end)
